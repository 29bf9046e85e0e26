/** Where Parley is, told by the address of its script: it may have a path of its own in front (`https://host/parley`). */
export function homeOf(script: URL): string {
  return script.origin + (/^(.*)\/chat\/widget\.js$/.exec(script.pathname)?.[1] ?? "");
}
