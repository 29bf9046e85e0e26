/**
 * Splits a `DATABASE_URL` into one address for each of its hosts, in their order: `postgres://user@a:5432,b/name` names
 * two. An address with one host, or with none (a socket), is returned as it is.
 */
export function databaseHosts(url: string): string[] {
  const [, scheme = "", authority = "", rest = ""] = /^(\w+:\/\/)([^/?#]*)(.*)$/s.exec(url) ?? [];
  const user = authority.slice(0, authority.lastIndexOf("@") + 1);
  const hosts = authority.slice(user.length).split(",");
  if (hosts.length < 2) return [url];
  return hosts.map((host) => `${scheme}${user}${host}${rest}`);
}
