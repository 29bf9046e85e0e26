import { TikTokRefusal } from "./answer.ts";
import { DEFAULT_APP_ID } from "./events.ts";
import type { TikTokBusiness } from "./options.ts";

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;

interface Held {
  readonly businessId: string;
  readonly until: number;
}

/** Access tokens for a day and refresh tokens for a year, by the emulator's clock. */
export class Tokens {
  readonly #access = new Map<string, Held>();
  readonly #refresh = new Map<string, Held>();
  /** Used refresh tokens, which are no longer valid. */
  readonly #used = new Set<string>();
  #count = 0;

  /** Sets an account's tokens by hand: its former ones are no longer valid. */
  give(business: TikTokBusiness): void {
    const { businessId, accessToken, refreshToken } = business;
    for (const held of [this.#access, this.#refresh])
      for (const [token, { businessId: owner }] of held)
        if (owner === businessId) held.delete(token);
    const until = business.tokenExpiresAt ?? Infinity;
    this.#access.set(accessToken, { businessId, until });
    if (refreshToken === undefined) return;
    this.#used.delete(refreshToken);
    const refreshUntil = business.refreshTokenExpiresAt ?? Infinity;
    this.#refresh.set(refreshToken, { businessId, until: refreshUntil });
  }

  /** The account of a token. Refuses a missing, an unknown and an expired token. */
  ownerOf(token: unknown, now: number): string {
    if (typeof token !== "string" || token === "") throw new TikTokRefusal(40104);
    const held = this.#access.get(token);
    if (held === undefined) throw new TikTokRefusal(40105);
    if (now >= held.until) throw new TikTokRefusal(40102);
    return held.businessId;
  }

  /**
   * New tokens for a refresh token of this app, which ends thereby. The former access token stays valid until its
   * own end: TikTok says nothing about it.
   */
  renew(
    businesses: ReadonlyMap<string, TikTokBusiness>,
    app: { readonly id: string; readonly secret: string },
    refreshToken: string,
    now: number,
  ): object {
    const held = this.#refresh.get(refreshToken);
    const business = held && businesses.get(held.businessId);
    const known = [...businesses.values()].some((one) => isOf(one, app));
    if (!known) throw new TikTokRefusal(40001, "The app id and the secret do not belong together.");
    if (this.#used.has(refreshToken) || !held || !business || !isOf(business, app))
      throw new TikTokRefusal(40107);
    if (now >= held.until) throw new TikTokRefusal(40103);
    const { businessId } = business;
    const suffix = `${businessId}-${++this.#count}`;
    const [access_token, refresh_token] = [`act.renewed-${suffix}`, `rft.renewed-${suffix}`];
    this.#refresh.delete(refreshToken);
    this.#used.add(refreshToken);
    this.#access.set(access_token, { businessId, until: now + DAY_MS });
    this.#refresh.set(refresh_token, { businessId, until: now + YEAR_MS });
    return {
      access_token,
      token_type: "Bearer",
      scope: "user.info.basic,message.list.read,message.list.send,message.list.manage",
      expires_in: DAY_MS / 1000,
      refresh_token,
      refresh_token_expires_in: YEAR_MS / 1000,
      open_id: businessId,
    };
  }
}

const isOf = (business: TikTokBusiness, app: { readonly id: string; readonly secret: string }) =>
  (business.appId ?? DEFAULT_APP_ID) === app.id && business.appSecret === app.secret;
