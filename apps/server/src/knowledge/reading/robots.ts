/** The name by which a robots.txt may address us. */
const OUR_NAME = "parleybot";

interface Rule {
  readonly allow: boolean;
  readonly path: string;
}

/**
 * Whether a robots.txt lets us read an address (RFC 9309): the longest rule that fits decides, an allow before a disallow. A
 * stranger wrote it, so its rules are kept for us and for all only, and read once.
 */
export function isAllowed(robots: string, url: string): boolean {
  const { pathname, search } = new URL(url);
  const groups = new Map<string, Rule[]>();
  /** The groups of ours that the next rule belongs to. */
  let named = new Set<string>();
  let open = false;
  for (const raw of robots.split(/\r?\n/u).slice(0, 10_000)) {
    const [name = "", value = ""] = raw.replace(/#.*/u, "").split(/:(.*)/u);
    const key = name.trim().toLowerCase();
    const rule = value.trim();
    if (key === "user-agent") {
      if (!open) named = new Set();
      open = true;
      const agent = rule.toLowerCase();
      if (agent !== OUR_NAME && agent !== "*") continue;
      named.add(agent);
      if (!groups.has(agent)) groups.set(agent, []);
    } else if (key === "allow" || key === "disallow") {
      open = false;
      // An empty one says nothing.
      if (rule === "") continue;
      for (const agent of named) groups.get(agent)?.push({ allow: key === "allow", path: rule });
    }
  }
  const fitting = (groups.get(OUR_NAME) ?? groups.get("*") ?? [])
    .filter(({ path }) => fits(path, pathname + search))
    .sort((a, b) => b.path.length - a.path.length || Number(b.allow) - Number(a.allow));
  return fitting[0]?.allow ?? true;
}

/** `*` is anything, `$` the end. Linear: the parts between the stars are found one after the other. */
function fits(rule: string, address: string): boolean {
  const whole = rule.endsWith("$");
  const [first = "", ...parts] = (whole ? rule.slice(0, -1) : rule).split("*");
  if (!address.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = address.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  if (!whole) return true;
  const last = parts.at(-1) ?? "";
  return parts.length === 0 ? at === address.length : address.endsWith(last);
}
