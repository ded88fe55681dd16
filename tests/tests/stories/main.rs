//! What Kaiwa does, as conversations through the whole bot, over real sockets.
//!
//! One program for all of them: linking one for each file would take most of a build.
//! What must be alone in its process has a file beside this folder.

mod actions;
mod admission;
mod brief;
mod buttons;
mod causes;
mod chat_actions;
mod circles;
mod codes;
mod confirmation;
mod controls;
mod delivery;
mod discord_failures;
mod discord_js;
mod error_texts;
mod event_order;
mod every_action;
mod failures;
mod guilds;
mod harness;
mod invalid_requests;
mod joins;
mod journal;
mod live;
mod live_many;
mod looks;
mod memory;
mod memory_actions;
mod mention_only;
mod moderation;
mod outages;
mod persona_actions;
mod personas;
mod pings;
mod refusals;
mod reminders;
mod reports;
mod routing;
mod runaway_scenes;
mod same_words;
mod settings;
mod shards;
mod stop;
mod story;
mod thoughts;
mod tool_loop;
mod triggers;
mod vision;
mod web;
mod webhooks;
