-- Who may write, where several servers share one database. Times are the database's own, in milliseconds since 1970.
CREATE TABLE servers (
    id TEXT NOT NULL PRIMARY KEY,
    -- Put off again and again by the server. When it has passed, any other may declare the server gone.
    ends BIGINT NOT NULL,
    -- 1: it hears the others.
    hears BIGINT NOT NULL,
    -- 1: for ever.
    gone BIGINT NOT NULL
);

CREATE TABLE leases (
    table_id TEXT NOT NULL PRIMARY KEY REFERENCES tables (id) ON DELETE CASCADE,
    -- Empty: nobody's.
    server TEXT NOT NULL,
    -- One more with every server that gets the table.
    fence BIGINT NOT NULL
);

CREATE INDEX leases_of_server ON leases (server);
