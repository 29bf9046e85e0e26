import { isMagic } from "../core/fault.ts";
import { json, type Answer, type Call } from "../core/server.ts";
import type { PageEmulator } from "./emulator.ts";
import { PageRefusal } from "./errors.ts";
import type { PageOptions } from "./options.ts";

const DAY = 86_400_000;
/** A long-lived token of Instagram login. */
const TOKEN_LIFE = 60 * DAY;

/** `GET /{customer}?fields=…`: what the platform shows of a person who wrote. Endings 0218 and 0230 show nothing. */
export function customerNode(
  emulator: PageEmulator,
  page: PageOptions,
  id: string,
  call: Call,
): Answer {
  if (emulator.magic && isMagic(id)) {
    if (id.endsWith("0218")) throw new PageRefusal(100, 2018218);
    if (id.endsWith("0230")) throw new PageRefusal(230);
  }
  if (!emulator.knows(page.id, id))
    throw new PageRefusal(
      100,
      33,
      `Unsupported get request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`,
    );
  const own = emulator.customer(id);
  const shown: Readonly<Record<string, unknown>> =
    emulator.dialect.name === "messenger"
      ? { first_name: own.firstName, last_name: own.lastName, profile_pic: own.profilePic }
      : { name: own.name, username: own.username, profile_pic: own.profilePic };
  const asked = (call.query.get("fields") ?? Object.keys(shown).join(",")).split(",");
  const given = asked.flatMap((field) => {
    const value = shown[field];
    return value === undefined || value === null ? [] : [[field, value] as const];
  });
  return json(200, { ...Object.fromEntries(given), id });
}

/** `GET /refresh_access_token` of Instagram login: a new token for 60 days, once the old one is a day old. */
export function refreshToken(emulator: PageEmulator, call: Call): Answer {
  if (call.query.get("grant_type") !== "ig_refresh_token")
    throw new PageRefusal(100, undefined, "Invalid parameter: grant_type");
  const token = call.query.get("access_token");
  if (token === null) throw new PageRefusal(104);
  const page = emulator.pageOfToken(token);
  if (page === undefined) throw new PageRefusal(190);
  checkTokenAge(emulator, page);
  const now = emulator.clock.now();
  if (page.tokenIssuedAt !== undefined && now - page.tokenIssuedAt < DAY)
    throw new PageRefusal(100, undefined, "The access token is less than 24 hours old.");
  const accessToken = `${token.replace(/-r\d+$/, "")}-r${now}`;
  emulator.renewToken(page.id, accessToken, now);
  return json(200, {
    access_token: accessToken,
    token_type: "bearer",
    expires_in: TOKEN_LIFE / 1000,
  });
}

/** Refuses an expired token. */
export function checkTokenAge(emulator: PageEmulator, page: PageOptions): void {
  if (page.tokenIssuedAt === undefined) return;
  if (emulator.clock.now() - page.tokenIssuedAt >= TOKEN_LIFE)
    throw new PageRefusal(190, 463, "Error validating access token: Session has expired.");
}
