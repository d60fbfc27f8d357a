//! What is kept, and what is not: one suite for all databases, and what holds for one of them.

mod both;
mod leases;
mod sqlite;
mod subject;
