"use strict";
// Loaded before node:test by a process that runs several test files. The runner of Node 26 follows every promise by
// async_hooks, to know of which test an uncaught error is. That is needed while files are read, because it also says to
// which suite a `test()` belongs; while tests run it takes an eighth of the processor time of a file that asks the
// database. So group.ts ends it when all files are read. An uncaught error fails the run all the same, and is printed
// here; `npm test -- FILE` says of which test it is.
const hooks = require("node:async_hooks");

const { createHook } = hooks;
let found = null;
hooks.createHook = (callbacks) => {
  const hook = createHook(callbacks);
  found ??= hook;
  return hook;
};

/** Ends what the runner follows. */
exports.stopFollowing = () => {
  hooks.createHook = createHook;
  found?.disable();
  for (const name of ["uncaughtException", "unhandledRejection"])
    process.on(name, (error) => console.error(error));
};
