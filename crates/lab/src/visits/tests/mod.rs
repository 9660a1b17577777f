//! Tests of visit distributions: games, their files, and what is wrong with them.

mod file;
mod fixture;
mod games;
