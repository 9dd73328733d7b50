/** The part of Obsidian that the plugin uses, small enough to read: for tests in a browser without the app. */

export * from "./app";
export * from "./base";
export * from "./controls";
