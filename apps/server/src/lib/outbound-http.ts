import type { Http } from "./http.ts";

/** Placeholder until the guarded client lands. */
export function createProviderHttp(): Http {
  return { request: () => Promise.reject(new Error("outbound http is not built yet")) };
}
export function createGuardedHttp(_options: { allow: readonly string[] }): Http {
  return createProviderHttp();
}
