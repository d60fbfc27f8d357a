CREATE TABLE _sqlx_migrations (
    version BIGINT PRIMARY KEY,
    description TEXT NOT NULL,
    installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    success BOOLEAN NOT NULL,
    checksum BLOB NOT NULL,
    execution_time BIGINT NOT NULL
);
INSERT INTO _sqlx_migrations VALUES(1,'tables','2026-11-19 01:05:06',1,X'39eb0caf3a20477487acfd49954d77bc9ae62e7737f1a922700b3199bb9d744774a4720785017d9d8943c26a870a7c93',449650);
INSERT INTO _sqlx_migrations VALUES(2,'leases','2026-11-19 22:05:06',1,X'6c84aad9bf50a56b3a7500190a4b96c610521c68a858cab4d650d6c51127a75925b228a1144a58d9fb8cc8fff2dd856c',512345);
CREATE TABLE tables (
    id TEXT NOT NULL PRIMARY KEY,
    about TEXT NOT NULL,
    opened BIGINT NOT NULL
);
INSERT INTO tables VALUES('889a4d0f4eac669be9ff6df2','{"game":"nim","definition":"d-b3b6f04e4663197ba69397db95a5697a9fb5b172","wanted":{"game":"nim","sitters":[{"kind":"me","name":"Ada"},{"kind":"bot","level":1}],"manners":{"rules":"all","advised":"all","undo":"all","hints":false,"spectators":true,"spectators_talk":true,"spectator_delay":0,"clock":{"kind":"none"}},"at_once":true},"forked_from":null}',1795050309599);
CREATE TABLE log (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (table_id, number)
);
INSERT INTO log VALUES('889a4d0f4eac669be9ff6df2',1,'sat','{"is":"sat","chair":0,"name":"Ada"}',1795050309599);
INSERT INTO log VALUES('889a4d0f4eac669be9ff6df2',2,'bot','{"is":"bot","chair":1,"level":1,"away":false}',1795050309599);
INSERT INTO log VALUES('889a4d0f4eac669be9ff6df2',3,'begin','{"is":"begin","seats":[0,1]}',1795050309806);
CREATE TABLE tokens (
    hash TEXT NOT NULL PRIMARY KEY,
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    role TEXT NOT NULL
);
INSERT INTO tokens VALUES('1892bdccd4a6ca73d1ece44a417348850156761b6ba476cd812bf728c34067e4','889a4d0f4eac669be9ff6df2','host');
INSERT INTO tokens VALUES('771285c59e103a859c19c65b15f5f9aad501809223b45fa79bc9125e2ff62ee5','889a4d0f4eac669be9ff6df2','watch');
INSERT INTO tokens VALUES('f580ce424bb831985be4a0507e5453d70dafb126e7da2d98b8ff2b2d016e818c','889a4d0f4eac669be9ff6df2','invite:0');
INSERT INTO tokens VALUES('edfc14057ed008fe01e8ff60becd6563bc9e55c95f9e39801dca001f31d7030f','889a4d0f4eac669be9ff6df2','chair:0');
INSERT INTO tokens VALUES('a6be6e0f0f8ca1e04ad896c7a55c8a2a830adffe9f8655ceaa660a1165ddc7b9','889a4d0f4eac669be9ff6df2','invite:1');
CREATE TABLE definitions (
    id TEXT NOT NULL PRIMARY KEY,
    files TEXT NOT NULL,
    added BIGINT NOT NULL
);
INSERT INTO definitions VALUES('d-b3b6f04e4663197ba69397db95a5697a9fb5b172','[{"path":"games/nim/game.gdl","text":"#game \"Nim\"\n#info summary \"Take any number from one heap; who takes the last counter wins.\"\n#info rules \"Players take turns. Take as many counters as you like, at least one, all from the same heap. Who takes the last counter of all wins.\"\n#players \"First\" \"Second\"\n#turns\n#setting heap1 3 from 0 to 100 \"Counters in the first heap\"\n#setting heap2 4 from 0 to 100 \"Counters in the second heap\"\n#setting heap3 5 from 0 to 100 \"Counters in the third heap\"\n#setting heap4 0 from 0 to 100 \"Counters in a fourth heap\"\n\n#model heap\n  #property counters (at (- number 1) of (list heap1 heap2 heap3 heap4))\n#board heap track 4\n\n#action take to heap with amount (range 1 counters) as \"{amount} from {self}\"\n  (decrease counters by amount)\n\n#sideeffect \"Who takes the last counter wins\" on take\n  (if (every heap where (= counters 0)) (win player))\n\n#variant \"misere\"\n  #rule \"Who takes the last counter wins\" instead\n    (if (every heap where (= counters 0)) (win opponent))\n\n#variant \"four heaps\"\n  #set heap1 1\n  #set heap2 3\n  #set heap3 5\n  #set heap4 7\n"}]',1795050309599);
CREATE INDEX tokens_of_table ON tokens (table_id);
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
