//! The server as a whole.

use crate::cluster::{Cluster, far, near, standing};
use crate::door::{self, Door};
use crate::hall::Hall;
use crate::{Config, pages, pictures, rest};
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use houserules_bus::{Bus, Local, Nats};
use houserules_protocol::{Code, Refusal};
use houserules_store::Store;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(
    info(title = "Houserules", description = "Tables of board games whose rules can be changed.", license(name = "MIT OR Apache-2.0")),
    paths(
        rest::library, rest::game, rest::picture, rest::brought, rest::check, rest::keep, rest::open, rest::info, rest::delete, rest::sit,
        rest::record, rest::replay, rest::replay_step, rest::judgement, rest::watched, rest::fork, rest::bring, rest::study,
        rest::study_state, rest::stop_study,
    ),
    modifiers(&Tokens)
)]
struct Api;

struct Tokens;

impl utoipa::Modify for Tokens {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
        let token = SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build());
        api.components.get_or_insert_with(Default::default).add_security_scheme("token", token);
    }
}

/// Everything that can be asked. Every answer has to be described, and those that speak for themselves are not.
fn document() -> serde_json::Value {
    let mut document = serde_json::to_value(Api::openapi()).unwrap_or_default();
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    for (_, operation) in paths.flat_map(|(_, path)| path.as_object_mut().into_iter().flatten()) {
        for (status, answer) in operation["responses"].as_object_mut().into_iter().flatten() {
            let described = if status.starts_with('2') { "Done." } else { "A refusal, with its code." };
            if let Some(answer) = answer.as_object_mut() {
                answer.entry("description").or_insert_with(|| described.into());
            }
        }
    }
    document
}

/// A server that listens, and does nothing until it is run.
pub struct Server {
    hall: Arc<Hall>,
    listener: TcpListener,
    /// Ends last: tables of brought definitions run on it.
    strangers: Strangers,
    /// Where it shares its tables with others: what it has to do all the time.
    beside: JoinSet<()>,
}

/// Threads for brought definitions.
struct Strangers(Option<tokio::runtime::Runtime>);

/// Whoever drops a server may be on a thread that must not wait for others to end.
impl Drop for Strangers {
    fn drop(&mut self) {
        if let Some(strangers) = self.0.take() {
            strangers.shutdown_background();
        }
    }
}

impl Server {
    /// Opens the database and the port. The error says what to do.
    pub async fn bind(config: Config) -> Result<Self, String> {
        let is_file = !houserules_store::is_address(&config.data);
        if is_file && config.bus.is_some() {
            return Err("`--bus` is for several servers that share a database; `--data postgres://…` names one.".into());
        }
        if let Some(folder) = config.data.parent().filter(|folder| is_file && !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)
                .map_err(|error| format!("The folder {} cannot be made: {error}.", folder.display()))?;
        }
        let store = Store::open(&config.data).await.map_err(|error| error.to_string())?;
        let listener = TcpListener::bind(config.listen).await.map_err(|error| {
            format!("{} cannot be listened on: {error}. `--listen ADDRESS:PORT` takes another.", config.listen)
        })?;
        let strangers = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(config.limits.strangers.max(1))
            .thread_name("brought")
            .enable_all()
            .build()
            .map_err(|error| format!("No threads: {error}."))?;
        let bus: Option<Arc<dyn Bus>> = match (&config.bus, store.is_shared()) {
            (Some(address), _) => Some(Arc::new(Nats::connect(address).await.map_err(|error| error.to_string())?)),
            // It is alone, or others find out that it is not.
            (None, true) => Some(Arc::new(Local::default())),
            (None, false) => None,
        };
        let hall = Hall::new(config, store, strangers.handle().clone());
        let mut beside = JoinSet::new();
        if let Some(bus) = bus {
            let (cluster, calls) = Cluster::start(&hall.shared.store, bus, hall.shared.config.lease).await?;
            if hall.shared.config.think_elsewhere {
                hall.shared.thinkers.think_elsewhere(cluster.station().clone());
            }
            hall.share(cluster.clone());
            beside.spawn(standing::keep(Arc::downgrade(&hall), cluster));
            beside.spawn(far::serve(hall.clone(), table_routes().with_state(hall.clone()), calls));
        }
        Ok(Server { hall, listener, strangers: Strangers(Some(strangers)), beside })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.listener.local_addr().expect("a listener has an address")
    }

    pub fn hall(&self) -> Arc<Hall> {
        self.hall.clone()
    }

    /// Serves until `end`; then finishes writes and tells clients to come back.
    pub async fn run(self, end: impl Future<Output = ()> + Send + 'static) -> Result<(), String> {
        let router = router(self.hall.clone());
        let hall = self.hall.clone();
        let ending = async move {
            end.await;
            tracing::info!("closing");
            hall.close().await;
        };
        let service = router.into_make_service_with_connect_info::<door::Peer>();
        let listener = Quick(self.listener);
        let served = axum::serve(listener, service).with_graceful_shutdown(ending).await;
        drop(self.strangers);
        drop(self.beside);
        if let Err(error) = self.hall.shared.store.gather().await {
            tracing::warn!(%error, "what is kept stays in two files");
        }
        served.map_err(|error| format!("The server stopped: {error}."))
    }
}

/// Small messages go out at once; waiting for more of them would cost a move 40 milliseconds.
struct Quick(TcpListener);

impl axum::serve::Listener for Quick {
    type Io = tokio::net::TcpStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        let (stream, address) = axum::serve::Listener::accept(&mut self.0).await;
        // A socket that is gone already says so when it is read.
        let _ = stream.set_nodelay(true);
        (stream, address)
    }

    fn local_addr(&self) -> std::io::Result<Self::Addr> {
        self.0.local_addr()
    }
}

impl axum::extract::connect_info::Connected<axum::serve::IncomingStream<'_, Quick>> for door::Peer {
    fn connect_info(stream: axum::serve::IncomingStream<'_, Quick>) -> Self {
        door::Peer(*stream.remote_addr())
    }
}

/// What is asked of one table.
fn table_routes() -> Router<Arc<Hall>> {
    Router::new()
        .route("/api/tables/{table}", get(rest::info).delete(rest::delete))
        .route("/api/tables/{table}/seats", post(rest::sit))
        .route("/api/tables/{table}/record", get(rest::record))
        .route("/api/tables/{table}/replay", get(rest::replay))
        .route("/api/tables/{table}/replay/{step}", get(rest::replay_step))
        .route("/api/tables/{table}/replay/{step}/judgement", get(rest::judgement))
        .route("/api/tables/{table}/watched/{after}", get(rest::watched))
        .route("/api/tables/{table}/fork", post(rest::fork))
        .route("/api/tables/{table}/studies", post(rest::study))
        .route("/api/tables/{table}/studies/{study}", get(rest::study_state).delete(rest::stop_study))
        .route("/api/tables/{table}/socket", get(rest::upgrade))
}

pub fn router(hall: Arc<Hall>) -> Router {
    let limits = hall.shared.config.limits.clone();
    let door = Arc::new(Door::new(hall.clone()));
    let with_pictures = DefaultBodyLimit::max(2 * limits.definition_bytes + 2 * pictures::BYTES);
    Router::new()
        .route("/api/games", get(rest::library))
        .route("/api/games/{game}", get(rest::game))
        .route("/api/games/{game}/picture.svg", get(rest::picture))
        .route("/api/games/{game}/pictures/{name}", get(rest::brought))
        .route("/api/definitions", post(rest::keep).layer(with_pictures))
        .route("/api/definitions/check", post(rest::check).layer(with_pictures))
        .route("/api/tables", post(rest::open))
        .merge(table_routes().route_layer(middleware::from_fn_with_state(hall.clone(), near::forward)))
        .route("/api/records", post(rest::bring))
        .route("/api/editing", get(rest::editing))
        .route("/api/openapi.json", get(|| async { Json(document()) }))
        .route("/healthz", get(rest::healthz))
        .route("/metrics", get(rest::metrics))
        .fallback(pages::serve)
        .method_not_allowed_fallback(|| async {
            let refusal = Refusal::new(Code::RequestMethod, Code::RequestMethod.meaning());
            (StatusCode::METHOD_NOT_ALLOWED, rest::Refused(refusal)).into_response()
        })
        .layer(DefaultBodyLimit::max(limits.message_bytes.max(2 * limits.definition_bytes)))
        .layer(middleware::from_fn_with_state(door, door::pass))
        .with_state(hall)
}
