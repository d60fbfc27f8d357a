//! What is asked over plain HTTP.

use crate::cluster::near;
use crate::door::Address;
use crate::hall::Hall;
use crate::rate::Held;
use crate::table::task::{Message, Roles};
use crate::{clock, games, packed, pictures, socket, to_wire};
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Request, State, WebSocketUpgrade};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use houserules_kernel::{Decision, Generator, Position, SeatId, Viewer};
use houserules_protocol::game::{Checked, Definition, GamePage, Kept, Library};
use houserules_protocol::replay::{Hint, ReplayOutline, ReplayStep};
use houserules_protocol::study::{StudyState, StudyWanted};
use houserules_protocol::table::{ForkAt, OpenTable, SeatToken, Sit, TableInfo, TableOpened};
use houserules_protocol::watch::Watched;
use houserules_protocol::{Code, Refusal};
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// A refusal as an answer.
#[derive(Debug)]
pub struct Refused(pub Refusal);

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Refused(refusal)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, Json(self.0)).into_response()
    }
}

type Answer<T> = Result<T, Refused>;
type TheHall = State<Arc<Hall>>;

/// A body of JSON. What cannot be read is refused in the same way as everything else.
pub struct Sent<T>(T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Sent<T> {
    type Rejection = Refused;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refused> {
        let bytes = Bytes::from_request(request, state).await.map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                Refused(Refusal::new(Code::RequestTooLarge, Code::RequestTooLarge.meaning()))
            }
            _ => Refused(Refusal::new(Code::RequestMalformed, rejection.body_text())),
        })?;
        match serde_json::from_slice(&bytes) {
            Ok(sent) => Ok(Sent(sent)),
            Err(error) => Err(Refused(Refusal::new(Code::RequestMalformed, format!("{error}.")))),
        }
    }
}

/// The tokens of a request.
pub struct Bearer(Vec<String>);

impl<S: Send + Sync> FromRequestParts<S> for Bearer {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refused> {
        let said = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let tokens = said.and_then(|said| said.strip_prefix("Bearer ")).unwrap_or_default().split(',');
        Ok(Bearer(tokens.map(|token| token.trim().to_owned()).filter(|token| !token.is_empty()).collect()))
    }
}

impl Bearer {
    /// What the token allows at a table; without any it is refused.
    async fn roles(&self, hall: &Hall, table: &str) -> Answer<Roles> {
        let roles = hall.roles(table, &self.0).await?;
        match roles.is_empty() {
            true => Err(refused(Code::TokenMissing)),
            false => Ok(roles),
        }
    }
}

fn refused(code: Code) -> Refused {
    Refused(Refusal::new(code, code.meaning()))
}

/// A person's name, as it may be shown.
pub fn name(name: &str) -> Result<String, Refusal> {
    let name: String = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() || name.chars().count() > 40 || name.chars().any(char::is_control) {
        return Err(Refusal::new(Code::RequestMalformed, "A name has 1 to 40 signs."));
    }
    Ok(name)
}

/// The games of the library.
#[utoipa::path(get, path = "/api/games", responses((status = 200, body = Library), (status = "4XX", body = Refusal)))]
pub async fn library(State(hall): TheHall) -> Json<Library> {
    Json(Library { games: hall.shared.games.cards().to_vec() })
}

/// A game and all there is to know before playing it.
#[utoipa::path(get, path = "/api/games/{game}", params(("game" = String, Path)),
    responses((status = 200, body = GamePage), (status = "4XX", body = Refusal)))]
pub async fn game(State(hall): TheHall, Path(game): Path<String>) -> Answer<Json<GamePage>> {
    let found = hall.shared.games.find(&game, &hall.shared.store).await?;
    Ok(Json(games::page(&game, &found)))
}

/// A picture of a game after some moves.
#[utoipa::path(get, path = "/api/games/{game}/picture.svg", params(("game" = String, Path)),
    responses((status = 200, content_type = "image/svg+xml", body = String), (status = "4XX", body = Refusal)))]
pub async fn picture(State(hall): TheHall, Path(game): Path<String>, asked: HeaderMap) -> Answer<Response> {
    let found = hall.shared.games.find(&game, &hall.shared.store).await?;
    let options = games::options(true, &hall.shared.config.limits);
    let brought = hall.shared.games.pictures(&game, &hall.shared.store).await?;
    let is_brought = game.starts_with("d-");
    let draw = move || {
        let book = found.rulebook(&options)?;
        let open = || book.open().map_err(|error| error.to_string());
        // Always the same moves, so that the picture stays.
        let play = |position: &mut dyn Position, most| position.playout(&mut Generator::new(7), most).unwrap_or(0);
        let mut position = open()?;
        let n_cells: usize = position.view(Viewer::Public).boards.iter().map(|board| board.cells.len()).sum();
        let n = play(&mut *position, (n_cells as u64 / 6).clamp(PICTURE_PLIES, 3 * PICTURE_PLIES));
        // An end is seldom what a game looks like.
        if matches!(position.decision(), Decision::Over(_)) {
            position = open()?;
            play(&mut *position, n * 6 / 10);
        }
        // Where others hide something, the table as the first seat sees it: backs of cards alone show no game.
        let near = (!position.sees_all(SeatId(0))).then_some(SeatId(0));
        let view = position.view(near.map_or(Viewer::Public, Viewer::Seat));
        let sight = houserules_scene::Sight { view, seats: book.seats(), near, ..Default::default() };
        // A drawing that is shown as a picture fetches nothing: all of it has to be inside.
        let inside = |name: &str| {
            pictures::kept(&brought, name).or_else(|| pictures::shipped(&game, name)).map(|picture| picture.address())
        };
        let scene = houserules_scene::draw(&sight);
        Ok::<_, String>(houserules_scene::board_svg(&scene, houserules_scene::Theme::Light, &inside))
    };
    // A library page asks for fifty at once; strangers wait for each other.
    let drawn = match is_brought {
        true => hall.shared.games.aside(draw).await?,
        false => tokio::task::spawn_blocking(draw).await.map_err(crate::fault)?,
    };
    let drawn = drawn.map_err(|words| Refusal::new(Code::GameFaulty, words))?;
    Ok(packed::answer(&asked, "image/svg+xml", "public, max-age=86400", "", drawn.into_bytes().into()))
}

const PICTURE_PLIES: u64 = 12;

/// A picture that a game brings.
#[utoipa::path(get, path = "/api/games/{game}/pictures/{name}", params(("game" = String, Path), ("name" = String, Path)),
    responses((status = 200, content_type = "image/*", body = Vec<u8>), (status = "4XX", body = Refusal)))]
pub async fn brought(State(hall): TheHall, Path((game, name)): Path<(String, String)>) -> Answer<Response> {
    let found = hall.shared.games.picture(&game, &name, &hall.shared.store).await?;
    let unknown = || Refusal::new(Code::RequestUnknown, format!("The game “{game}” brings no picture “{name}”."));
    let picture = found.ok_or_else(unknown)?;
    let headers = [
        (header::CONTENT_TYPE, picture.kind),
        (header::CACHE_CONTROL, "public, max-age=86400"),
        // Opened by itself, a stranger's drawing runs nothing either.
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; sandbox"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    Ok((headers, picture.bytes).into_response())
}

/// Says what is wrong with a definition. Nothing is kept.
#[utoipa::path(post, path = "/api/definitions/check", request_body = Definition,
    responses((status = 200, body = Checked), (status = "4XX", body = Refusal)))]
pub async fn check(State(hall): TheHall, Sent(definition): Sent<Definition>) -> Answer<Json<Checked>> {
    let (checked, _) = checked(&hall, definition).await?;
    Ok(Json(checked))
}

/// Keeps a definition that can be played, under a digest of its text.
#[utoipa::path(post, path = "/api/definitions", request_body = Definition,
    responses((status = 201, body = Kept), (status = "4XX", body = Refusal)))]
pub async fn keep(State(hall): TheHall, Sent(definition): Sent<Definition>) -> Answer<(StatusCode, Json<Kept>)> {
    let id = games::id(&definition.files);
    let (checked, files) = checked(&hall, definition).await?;
    if !checked.playable {
        let drawn: Vec<String> = checked.diagnostics.iter().map(|diagnostic| diagnostic.drawn.clone()).collect();
        return Err(Refusal::new(Code::GameFaulty, drawn.join("\n")).into());
    }
    let text = serde_json::to_string(&files.files).map_err(crate::fault)?;
    hall.shared.store.add_definition(&id, &text, clock::now()).await.map_err(crate::unkept)?;
    Ok((StatusCode::CREATED, Json(Kept { id, diagnostics: checked.diagnostics })))
}

async fn checked(hall: &Hall, definition: Definition) -> Answer<(Checked, Definition)> {
    pictures::check(&definition.files)?;
    let texts = pictures::texts(&definition.files);
    let bytes: usize = texts.iter().map(|file| file.text.len() + file.path.len()).sum();
    if bytes > hall.shared.config.limits.definition_bytes {
        return Err(refused(Code::RequestTooLarge));
    }
    if texts.is_empty() || texts.len() > 16 {
        return Err(Refusal::new(Code::RequestMalformed, "A definition has 1 to 16 files.").into());
    }
    let options = games::options(true, &hall.shared.config.limits);
    let read = hall.shared.games.aside(move || {
        let found = games::read(&definition.files);
        let sources = &found.loaded.sources;
        let mut diagnostics: Vec<_> =
            found.diagnostics.iter().map(|fault| to_wire::diagnostic(fault, sources)).collect();
        let mut playable = !found.has_errors();
        if playable {
            let opened = found.rulebook(&options).and_then(|book| book.open().map_err(|error| error.to_string()));
            if let Err(drawn) = opened {
                playable = false;
                let (severity, code) = (houserules_protocol::rules::Severity::Error, "game/open".to_owned());
                let title = "The game cannot begin".to_owned();
                let label = String::new();
                diagnostics.push(houserules_protocol::rules::Diagnostic {
                    severity,
                    code,
                    title,
                    place: None,
                    label,
                    hint: None,
                    drawn,
                });
            }
        }
        (Checked { playable, diagnostics }, definition)
    });
    Ok(read.await?)
}

/// Opens a table.
#[utoipa::path(post, path = "/api/tables", request_body = OpenTable,
    responses((status = 201, body = TableOpened), (status = "4XX", body = Refusal), (status = 503, body = Refusal)))]
pub async fn open(State(hall): TheHall, Sent(wanted): Sent<OpenTable>) -> Answer<(StatusCode, Json<TableOpened>)> {
    check_manners(&wanted)?;
    let opened = hall.open(wanted, None).await?;
    Ok((StatusCode::CREATED, Json(opened)))
}

fn check_manners(wanted: &OpenTable) -> Answer<()> {
    use houserules_protocol::table::ClockKind;
    let fits = match wanted.manners.clock {
        ClockKind::None => true,
        ClockKind::Match { seconds, increment } => (1..=86_400).contains(&seconds) && increment <= 3_600,
        ClockKind::Move { seconds } => (1..=2_592_000).contains(&seconds),
    };
    let short = |text: &String| text.len() <= 200;
    let small = wanted.variants.len() <= 64
        && wanted.settings.len() <= 64
        && wanted.off.len() <= 256
        && wanted.advised.len() <= 256
        && wanted.settings.iter().all(|given| short(&given.name) && short(&given.value))
        && wanted.manners.spectator_delay <= 100;
    match fits && small {
        true => Ok(()),
        false => Err(Refusal::new(Code::RequestMalformed, "Something in it is larger than allowed.").into()),
    }
}

/// What everybody at a table may know of it.
#[utoipa::path(get, path = "/api/tables/{table}", params(("table" = String, Path)), security(("token" = [])),
    responses((status = 200, body = TableInfo), (status = "4XX", body = Refusal), (status = 503, body = Refusal)))]
pub async fn info(State(hall): TheHall, Path(table): Path<String>, bearer: Bearer) -> Answer<Json<TableInfo>> {
    let roles = bearer.roles(&hall, &table).await?;
    Ok(Json(hall.ask(&table, |reply| Message::Info { roles: roles.clone(), reply }).await?))
}

/// Deletes a table and everything that belongs to it. The host only.
#[utoipa::path(delete, path = "/api/tables/{table}", params(("table" = String, Path)), security(("token" = [])),
    responses((status = 204), (status = "4XX", body = Refusal), (status = 503, body = Refusal)))]
pub async fn delete(State(hall): TheHall, Path(table): Path<String>, bearer: Bearer) -> Answer<StatusCode> {
    if !bearer.roles(&hall, &table).await?.host {
        return Err(refused(Code::TokenNotAllowed));
    }
    hall.delete(&table).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sits down by an invitation; the answer has the sitter's own token.
#[utoipa::path(post, path = "/api/tables/{table}/seats", params(("table" = String, Path)), request_body = Sit,
    security(("token" = [])),
    responses((status = 201, body = SeatToken), (status = "4XX", body = Refusal), (status = 503, body = Refusal)))]
pub async fn sit(
    State(hall): TheHall,
    Path(table): Path<String>,
    bearer: Bearer,
    Sent(sit): Sent<Sit>,
) -> Answer<(StatusCode, Json<SeatToken>)> {
    let roles = bearer.roles(&hall, &table).await?;
    let Some(&chair) = roles.invited.first() else { return Err(refused(Code::TokenNotAllowed)) };
    let name = name(&sit.name)?;
    let (seat, token) = hall.ask(&table, |reply| Message::Sit { chair, name: name.clone(), reply }).await?;
    Ok((StatusCode::CREATED, Json(SeatToken { seat, token: token.reveal().to_owned() })))
}

/// The record of a match as text.
#[utoipa::path(get, path = "/api/tables/{table}/record", params(("table" = String, Path)), security(("token" = [])),
    responses((status = 200, content_type = "text/plain", body = String), (status = "4XX", body = Refusal),
        (status = 503, body = Refusal)))]
pub async fn record(State(hall): TheHall, Path(table): Path<String>, bearer: Bearer) -> Answer<Response> {
    let roles = bearer.roles(&hall, &table).await?;
    let text = hall.ask(&table, |reply| Message::Record { roles: roles.clone(), reply }).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

/// The match so far, step by step in words.
#[utoipa::path(get, path = "/api/tables/{table}/replay", params(("table" = String, Path)), security(("token" = [])),
    responses((status = 200, body = ReplayOutline), (status = "4XX", body = Refusal), (status = 503, body = Refusal)))]
pub async fn replay(State(hall): TheHall, Path(table): Path<String>, bearer: Bearer) -> Answer<Json<ReplayOutline>> {
    let roles = bearer.roles(&hall, &table).await?;
    Ok(Json(hall.ask(&table, |reply| Message::Outline { roles: roles.clone(), reply }).await?))
}

/// How the match looked after so many steps.
#[utoipa::path(get, path = "/api/tables/{table}/replay/{step}",
    params(("table" = String, Path), ("step" = u32, Path)), security(("token" = [])),
    responses((status = 200, body = ReplayStep), (status = "4XX", body = Refusal), (status = 503, body = Refusal)))]
pub async fn replay_step(
    State(hall): TheHall,
    Path((table, step)): Path<(String, String)>,
    bearer: Bearer,
) -> Answer<Json<ReplayStep>> {
    let Ok(step) = step.parse::<u32>() else { return Err(refused(Code::RecordStep)) };
    let roles = bearer.roles(&hall, &table).await?;
    Ok(Json(hall.ask(&table, |reply| Message::Step { roles: roles.clone(), step, reply }).await?))
}

/// What the machine thinks of the match after so many steps: which choice, and what the others are worth.
#[utoipa::path(get, path = "/api/tables/{table}/replay/{step}/judgement",
    params(("table" = String, Path), ("step" = u32, Path)), security(("token" = [])),
    responses((status = 200, body = Hint), (status = "4XX", body = Refusal), (status = 503, body = Refusal)))]
pub async fn judgement(
    State(hall): TheHall,
    Path((table, step)): Path<(String, String)>,
    from: Option<Extension<Address>>,
    bearer: Bearer,
) -> Answer<Json<Hint>> {
    let Ok(step) = step.parse::<u32>() else { return Err(refused(Code::RecordStep)) };
    let roles = bearer.roles(&hall, &table).await?;
    let from = from.map(|Extension(Address(from))| from);
    Ok(Json(hall.ask(&table, |reply| Message::Judge { roles: roles.clone(), step, from, reply }).await?))
}

/// What the rules did after a step, and what became of what things keep.
#[utoipa::path(get, path = "/api/tables/{table}/watched/{after}",
    params(("table" = String, Path), ("after" = u32, Path)), security(("token" = [])),
    responses((status = 200, body = Watched), (status = "4XX", body = Refusal), (status = 503, body = Refusal)))]
pub async fn watched(
    State(hall): TheHall,
    Path((table, after)): Path<(String, String)>,
    bearer: Bearer,
) -> Answer<Json<Watched>> {
    let Ok(after) = after.parse::<u32>() else { return Err(refused(Code::RecordStep)) };
    let roles = bearer.roles(&hall, &table).await?;
    Ok(Json(hall.ask(&table, |reply| Message::Watched { roles: roles.clone(), after, reply }).await?))
}

/// A table of its own that begins like this one.
#[utoipa::path(post, path = "/api/tables/{table}/fork", params(("table" = String, Path)), request_body = ForkAt,
    security(("token" = [])),
    responses((status = 201, body = TableOpened), (status = "4XX", body = Refusal), (status = 503, body = Refusal)))]
pub async fn fork(
    State(hall): TheHall,
    Path(table): Path<String>,
    bearer: Bearer,
    Sent(fork): Sent<ForkAt>,
) -> Answer<(StatusCode, Json<TableOpened>)> {
    let roles = bearer.roles(&hall, &table).await?;
    let lines = hall.ask(&table, |reply| Message::Lines { roles: roles.clone(), step: fork.step, reply }).await?;
    let kept = hall.shared.store.table(&table).await.map_err(crate::unkept)?;
    let kept = kept.ok_or_else(|| refused(Code::TableUnknown))?;
    let about: crate::table::entry::About = serde_json::from_str(&kept.about).map_err(crate::fault)?;
    let wanted = OpenTable { sitters: fork.sitters, at_once: false, ..about.wanted };
    let opened = hall.open(wanted, Some((table, lines, about.definition))).await?;
    Ok((StatusCode::CREATED, Json(opened)))
}

/// Begins a study: what does a change of rules do to the game? Those who sit there and the host.
#[utoipa::path(post, path = "/api/tables/{table}/studies", params(("table" = String, Path)), request_body = StudyWanted,
    security(("token" = [])),
    responses((status = 201, body = StudyState), (status = "4XX", body = Refusal), (status = 503, body = Refusal)))]
pub async fn study(
    State(hall): TheHall,
    Path(table): Path<String>,
    bearer: Bearer,
    Sent(wanted): Sent<StudyWanted>,
) -> Answer<(StatusCode, Json<StudyState>)> {
    let roles = bearer.roles(&hall, &table).await?;
    if !roles.host && roles.chairs.is_empty() {
        return Err(refused(Code::TokenNotAllowed));
    }
    if !(1..=1000).contains(&wanted.matches) || wanted.level.is_some_and(|level| !(1..=3).contains(&level)) {
        return Err(Refusal::new(Code::RequestMalformed, "A study has 1 to 1000 matches, of levels 1 to 3.").into());
    }
    let (rules, words) = hall.ask(&table, |reply| Message::Rules { change: wanted.change.clone(), reply }).await?;
    let state = hall.shared.studies.begin(&table, *rules, &wanted, words).await?;
    Ok((StatusCode::CREATED, Json(state)))
}

/// How far a study is, and what it found when it has ended.
#[utoipa::path(get, path = "/api/tables/{table}/studies/{study}",
    params(("table" = String, Path), ("study" = String, Path)), security(("token" = [])),
    responses((status = 200, body = StudyState), (status = "4XX", body = Refusal), (status = 503, body = Refusal)))]
pub async fn study_state(
    State(hall): TheHall,
    Path((table, study)): Path<(String, String)>,
    bearer: Bearer,
) -> Answer<Json<StudyState>> {
    bearer.roles(&hall, &table).await?;
    Ok(Json(hall.shared.studies.state(&table, &study)?))
}

/// Stops a study; what was played until then is reported. Those who sit there and the host.
#[utoipa::path(delete, path = "/api/tables/{table}/studies/{study}",
    params(("table" = String, Path), ("study" = String, Path)), security(("token" = [])),
    responses((status = 204), (status = "4XX", body = Refusal), (status = 503, body = Refusal)))]
pub async fn stop_study(
    State(hall): TheHall,
    Path((table, study)): Path<(String, String)>,
    bearer: Bearer,
) -> Answer<StatusCode> {
    let roles = bearer.roles(&hall, &table).await?;
    if !roles.host && roles.chairs.is_empty() {
        return Err(refused(Code::TokenNotAllowed));
    }
    hall.shared.studies.stop(&table, &study)?;
    Ok(StatusCode::NO_CONTENT)
}

/// A socket to a table.
pub async fn upgrade(
    State(hall): TheHall,
    Path(table): Path<String>,
    headers: HeaderMap,
    from: Option<Extension<Address>>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Answer<Response> {
    let address = from.as_ref().map(|Extension(Address(from))| *from);
    let (upgrade, held) = own(&hall, &headers, from, upgrade, hall.shared.config.limits.message_bytes)?;
    Ok(upgrade.on_upgrade(async move |socket| {
        hall.shared.figures.came();
        match near::owner(&hall, &table, address).await {
            Ok(None) => socket::serve(&hall, table, address, socket).await,
            Ok(Some(link)) => near::pass(&hall, link, socket).await,
            Err(refusal) => socket::refuse(socket, refusal).await,
        }
        hall.shared.figures.went();
        drop(held);
    }))
}

/// A table on which everything has happened that a record tells; the text of the record is sent as a JSON string.
#[utoipa::path(post, path = "/api/records", request_body = String,
    responses((status = 201, body = TableOpened), (status = "4XX", body = Refusal), (status = 503, body = Refusal)))]
pub async fn bring(State(hall): TheHall, Sent(text): Sent<String>) -> Answer<(StatusCode, Json<TableOpened>)> {
    Ok((StatusCode::CREATED, Json(crate::records::bring(&hall, &text).await?)))
}

/// A socket for an editor, which speaks the language server's protocol.
pub async fn editing(
    State(hall): TheHall,
    headers: HeaderMap,
    from: Option<Extension<Address>>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Answer<Response> {
    // The files of a game come in one message, quoted.
    let (upgrade, held) = own(&hall, &headers, from, upgrade, 2 * hall.shared.config.limits.definition_bytes)?;
    Ok(upgrade.on_upgrade(async move |socket| {
        crate::editing::serve(hall, socket).await;
        drop(held);
    }))
}

/// A socket that is asked for from a page of this server, and its place among those that one address may hold.
fn own(
    hall: &Hall,
    headers: &HeaderMap,
    from: Option<Extension<Address>>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
    bytes: usize,
) -> Answer<(WebSocketUpgrade, Option<Held<std::net::IpAddr>>)> {
    if !crate::door::is_own_origin(headers, hall.shared.config.public_url.as_deref()) {
        return Err(refused(Code::RequestOrigin));
    }
    let Ok(upgrade) = upgrade else {
        return Err(Refusal::new(Code::RequestMalformed, "This address is for sockets.").into());
    };
    // Held as long as the socket is open.
    let held = match from.map(|Extension(Address(from))| hall.sockets.hold(from)) {
        Some(None) => return Err(refused(Code::RequestTooMany)),
        held => held.flatten(),
    };
    let upgrade = upgrade.max_message_size(bytes).max_frame_size(bytes);
    // Usual are 128 kB each way: most of the memory of a table would be empty buffers of those who sit there.
    Ok((upgrade.read_buffer_size(BUFFER).write_buffer_size(BUFFER), held))
}

/// Bytes that a socket reads and writes at once; larger messages take several turns.
const BUFFER: usize = 4096;

pub async fn healthz(State(hall): TheHall) -> Response {
    let well = !hall.is_closing() && hall.is_well() && hall.shared.store.is_well().await;
    let status = if well { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, if well { "well\n" } else { "closing\n" }).into_response()
}

pub async fn metrics(State(hall): TheHall) -> String {
    hall.shared.figures.text(hall.n_awake(), hall.cluster().map_or(1, |cluster| cluster.n_servers()))
}
