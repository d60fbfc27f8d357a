//! One suite, two subjects: a bus inside of one process, and NATS.

use bytes::Bytes;
use houserules_bus::{Bus, Call, How, Link, Local, Nats, Station, random_id};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

type Made = (Arc<Station>, mpsc::Receiver<Call>);

/// Makes buses that carry to each other.
enum Subject {
    Local(Local),
    Nats(String),
}

impl Subject {
    async fn bus(&self) -> Arc<dyn Bus> {
        match self {
            Subject::Local(local) => Arc::new(local.clone()),
            Subject::Nats(address) => Arc::new(Nats::connect(address).await.unwrap()),
        }
    }

    async fn station(&self) -> Made {
        Station::start(self.bus().await, &random_id().unwrap()).await.unwrap()
    }
}

macro_rules! on_both {
    ($($name:ident,)*) => {
        mod on_local {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::Subject::Local(Default::default())).await;
            })*
        }

        mod on_nats {
            $(#[tokio::test]
            async fn $name() {
                // One for each: workers of the other tests would take jobs of this one.
                let engine = houserules_engines::Nats::start().unwrap();
                super::$name(super::Subject::Nats(engine.url())).await;
            })*
        }
    };
}

on_both! {
    what_is_said_on_a_link_comes_whole_and_in_order,
    a_link_ends_with_either_side_and_with_its_station,
    whoever_does_not_listen_ends_its_own_link_alone,
    who_is_not_there_cannot_be_called,
    jobs_are_done_once_whatever_dies,
    handing_out_stops_when_it_is_told_to,
}

const PATIENCE: Duration = Duration::from_secs(30);

async fn until(holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "it did not come to that");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn next(link: &mut Link) -> Option<Bytes> {
    tokio::time::timeout(PATIENCE, link.receive()).await.expect("nothing came")
}

/// A link from one to the other, and its other end.
async fn linked(one: &Made, other: &mut Made, room: usize) -> (Link, Link) {
    let began = Instant::now();
    let (near, call) = loop {
        assert!(began.elapsed() < PATIENCE, "nobody is called");
        until(|| one.0.hears(other.0.id())).await;
        let mut near = one.0.call(other.0.id(), b"what for", room).unwrap();
        // Heard a moment ago, it may be gone by now: then the link says so.
        tokio::select! {
            call = other.1.recv() => break (near, call.unwrap()),
            said = near.receive() => assert_eq!((said, near.how()), (None, How::Lost)),
        }
    };
    assert_eq!((&*call.head, call.link.peer()), (&b"what for"[..], one.0.id()));
    (near, call.link)
}

async fn what_is_said_on_a_link_comes_whole_and_in_order(subject: Subject) {
    let (one, mut other) = (subject.station().await, subject.station().await);
    let (mut near, mut far) = linked(&one, &mut other, 1000).await;
    let large: Bytes = (0..3_000_000u32).map(|at| at as u8 ^ (at >> 12) as u8).collect();
    for at in 0..500u32 {
        near.send(&Bytes::from(at.to_string()));
        far.send(&Bytes::from(format!("back {at}")));
    }
    near.send(&large);
    near.send(&Bytes::new());
    for at in 0..500u32 {
        assert_eq!(next(&mut far).await, Some(Bytes::from(at.to_string())));
        assert_eq!(next(&mut near).await, Some(Bytes::from(format!("back {at}"))));
    }
    assert!(next(&mut far).await == Some(large), "a large message comes as it was");
    assert_eq!(next(&mut far).await, Some(Bytes::new()));
    assert_eq!((near.how(), far.how()), (How::Open, How::Open));
}

async fn a_link_ends_with_either_side_and_with_its_station(subject: Subject) {
    let (one, mut other) = (subject.station().await, subject.station().await);
    let (near, mut far) = linked(&one, &mut other, 10).await;
    near.send(&Bytes::from_static(b"last words"));
    drop(near);
    assert_eq!(next(&mut far).await, Some(Bytes::from_static(b"last words")));
    assert_eq!((next(&mut far).await, far.how()), (None, How::Closed));
    let (mut near, far) = linked(&one, &mut other, 10).await;
    drop(far);
    assert_eq!((next(&mut near).await, near.how()), (None, How::Closed));
    let (mut near, _far) = linked(&one, &mut other, 10).await;
    other.0.leave();
    assert_eq!((next(&mut near).await, near.how()), (None, How::Closed));
    until(|| one.0.others().iter().all(|id| id != other.0.id())).await;
}

async fn whoever_does_not_listen_ends_its_own_link_alone(subject: Subject) {
    let (one, mut other) = (subject.station().await, subject.station().await);
    let (mut lazy, far) = linked(&one, &mut other, 3).await;
    let (mut busy, beside) = linked(&one, &mut other, 3).await;
    for _ in 0..10 {
        far.send(&Bytes::from_static(b"much"));
    }
    beside.send(&Bytes::from_static(b"little"));
    assert_eq!(next(&mut busy).await, Some(Bytes::from_static(b"little")));
    for _ in 0..3 {
        assert_eq!(next(&mut lazy).await, Some(Bytes::from_static(b"much")));
    }
    assert_eq!((next(&mut lazy).await, lazy.how()), (None, How::Overrun));
    assert_eq!(busy.how(), How::Open);
}

async fn who_is_not_there_cannot_be_called(subject: Subject) {
    let one = subject.station().await;
    let mut link = one.0.call("nobody", b"", 1).unwrap();
    assert_eq!((next(&mut link).await, link.how()), (None, How::Lost));
}

/// Whatever the network does, a link that has lost something ends at both sides, and new ones can be made when it is back.
#[tokio::test]
async fn a_bus_that_is_cut_off_is_noticed_on_both_sides_and_comes_back() {
    let nats = houserules_engines::Nats::start().unwrap();
    let way = houserules_engines::Cut::to(nats.port).unwrap();
    let direct = Subject::Nats(nats.url());
    let one = Subject::Nats(format!("nats://127.0.0.1:{}", way.port())).station().await;
    let mut other = direct.station().await;
    let (mut near, mut far) = linked(&one, &mut other, 10).await;
    way.cut();
    far.send(&Bytes::from_static(b"lost"));
    assert_eq!((next(&mut near).await, near.how()), (None, How::Lost));
    assert_eq!((next(&mut far).await, far.how()), (None, How::Lost));
    until(|| !one.0.hears(one.0.id()) && other.0.hears(other.0.id())).await;
    way.mend();
    until(|| one.0.hears(one.0.id())).await;
    let (near, mut far) = linked(&one, &mut other, 10).await;
    near.send(&Bytes::from_static(b"again"));
    assert_eq!(next(&mut far).await, Some(Bytes::from_static(b"again")));
}

#[tokio::test]
async fn a_nats_server_that_starts_anew_is_found_again() {
    let mut nats = houserules_engines::Nats::start().unwrap();
    let subject = Subject::Nats(nats.url());
    let (one, mut other) = (subject.station().await, subject.station().await);
    let (mut near, mut far) = linked(&one, &mut other, 10).await;
    nats.stop();
    assert_eq!((next(&mut near).await, near.how()), (None, How::Lost));
    assert_eq!((next(&mut far).await, far.how()), (None, How::Lost));
    nats.again().unwrap();
    let (near, mut far) = linked(&one, &mut other, 10).await;
    near.send(&Bytes::from_static(b"again"));
    assert_eq!(next(&mut far).await, Some(Bytes::from_static(b"again")));
}

/// Workers come, die and refuse while jobs are handed out: every result counts once.
async fn jobs_are_done_once_whatever_dies(subject: Subject) {
    use houserules_bus::handing::{Notice, Work, hand_out, work};
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    let owner = subject.station().await;
    let done_by = Arc::new(AtomicUsize::new(0));
    let hire = async |name: &str, refuses: bool| {
        let id = format!("{}{name}{}", houserules_bus::handing::WORKER, random_id().unwrap());
        let (station, calls) = Station::start(subject.bus().await, &id).await.unwrap();
        let counted = done_by.clone();
        let make = move |task: &[u8]| {
            assert_eq!(task, b"double");
            if refuses {
                return Err("not here".to_owned());
            }
            let counted = counted.clone();
            let double: Work = Arc::new(move |job: &[u8], _: &Arc<AtomicBool>| {
                counted.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(1));
                let job: u64 = std::str::from_utf8(job).unwrap().parse().unwrap();
                (2 * job).to_string().into_bytes()
            });
            Ok(double)
        };
        (station, tokio::spawn(work(calls, 2, Arc::new(make))))
    };
    let (first, second, lazy) = (hire("a", false).await, hire("b", false).await, hire("c", true).await);
    let (mut results, mut notices, stop) = (Vec::new(), Vec::new(), AtomicBool::new(false));
    let jobs = (0..600u64).map(|job| Bytes::from(job.to_string()));
    let handed = hand_out(
        &owner.0,
        b"double",
        jobs,
        &stop,
        |result| {
            results.push(std::str::from_utf8(&result).unwrap().parse::<u64>().unwrap());
            // In the middle of it.
            if results.len() == 100 {
                first.0.leave();
            }
            Ok::<(), ()>(())
        },
        |notice| notices.push(notice),
    );
    tokio::time::timeout(PATIENCE, handed).await.unwrap().unwrap();
    results.sort_unstable();
    assert_eq!(results, (0..600).map(|job| 2 * job).collect::<Vec<u64>>());
    assert!(notices.iter().any(|notice| matches!(notice, Notice::Left { jobs, .. } if *jobs > 0)), "{notices:?}");
    assert!(notices.iter().any(|notice| matches!(notice, Notice::Refused { why, .. } if why == "not here")));
    assert!(done_by.load(Ordering::Relaxed) > 600, "what the first one had was done again");
    drop((second, lazy));
}

/// Whoever stops gets what is under way, and nothing more.
async fn handing_out_stops_when_it_is_told_to(subject: Subject) {
    use houserules_bus::handing::{WORKER, Work, hand_out, work};
    use std::sync::atomic::{AtomicBool, Ordering};
    let owner = subject.station().await;
    let (_station, calls) =
        Station::start(subject.bus().await, &format!("{WORKER}{}", random_id().unwrap())).await.unwrap();
    let same: Work = Arc::new(|job: &[u8], _: &Arc<AtomicBool>| job.to_vec());
    tokio::spawn(work(calls, 1, Arc::new(move |_: &[u8]| Ok(same.clone()))));
    let (stop, mut n) = (AtomicBool::new(false), 0);
    let jobs = (0..1_000_000u64).map(|job| Bytes::from(job.to_string()));
    let handed = hand_out(
        &owner.0,
        b"",
        jobs,
        &stop,
        |_| {
            n += 1;
            stop.store(n >= 10, Ordering::Relaxed);
            Ok::<(), ()>(())
        },
        |_| {},
    );
    tokio::time::timeout(PATIENCE, handed).await.unwrap().unwrap();
    assert!((10..20).contains(&n), "{n}");
}
