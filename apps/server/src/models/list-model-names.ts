import type { Context } from "../context.ts";
import { httpFor } from "../lib/check-address.ts";
import { HttpFailure } from "../lib/http.ts";
import { models } from "../operations/models.ts";
import { perform } from "../write.ts";
import { modelOf } from "./find-model.ts";
import type { ModelProfile } from "./model.ts";
import { member } from "./provider-protocol.ts";

/** A page waits for it. */
const CALL_MS = 5_000;
const MOST_BYTES = 256 * 1024;
const MOST = 200;
const LONGEST = 200;

/**
 * The names that a document's `model` may have: those that the workspace's provider lists, and the two that are set. A provider that
 * lists none, or does not answer, leaves those two. Never throws for what a provider does.
 */
export const listModelNames = perform(
  models.listModelNames,
  async (
    _actor,
    context: Pick<Context, "db" | "sealer" | "providerHttp" | "guardedHttp">,
    workspaceId,
  ) => {
    const found = await modelOf(context, workspaceId, { sandbox: true });
    if (!found) return { default: null, items: [] };
    const { profile, second } = found;
    const listed = await namesAt(context, profile);
    const names = new Set([profile.name, second.name, ...listed.toSorted()]);
    return { default: profile.name, items: [...names].slice(0, MOST) };
  },
);

async function namesAt(
  context: Pick<Context, "providerHttp" | "guardedHttp">,
  profile: ModelProfile,
): Promise<string[]> {
  const { protocol, url, key } = profile;
  const isOpenai = protocol === "openai-chat";
  const headers: Readonly<Record<string, string>> = isOpenai
    ? { authorization: `Bearer ${key}` }
    : { "x-api-key": key, "anthropic-version": "2023-06-01" };
  try {
    const { status, partial, body } = await httpFor(context, profile).request({
      method: "GET",
      url: `${url}${isOpenai ? "/models" : "/v1/models"}`,
      headers: { ...headers, accept: "application/json" },
      timeoutMs: CALL_MS,
      maxResponseBytes: MOST_BYTES,
    });
    return status === 200 && !partial ? namesIn(body.toString("utf8")) : [];
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    return [];
  }
}

function namesIn(body: string): string[] {
  let document: unknown;
  try {
    document = JSON.parse(body);
  } catch {
    return [];
  }
  const data = member(document, "data");
  if (!Array.isArray(data)) return [];
  return data.flatMap((one: unknown) => {
    const name = member(one, "id");
    return typeof name === "string" && name !== "" && name.length <= LONGEST ? [name] : [];
  });
}
