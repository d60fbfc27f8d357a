-- Only types that SQLite and PostgreSQL share: times are milliseconds since 1970.
CREATE TABLE tables (
    id TEXT NOT NULL PRIMARY KEY,
    about TEXT NOT NULL,
    opened BIGINT NOT NULL
);

CREATE TABLE log (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (table_id, number)
);

CREATE TABLE tokens (
    hash TEXT NOT NULL PRIMARY KEY,
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    role TEXT NOT NULL
);

CREATE INDEX tokens_of_table ON tokens (table_id);

CREATE TABLE definitions (
    id TEXT NOT NULL PRIMARY KEY,
    files TEXT NOT NULL,
    added BIGINT NOT NULL
);
