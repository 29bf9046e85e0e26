import { addOwnWord, listOwnWords, removeOwnWord } from "../../contacts/consent/own-words.ts";
import { CONSENT_WORDS } from "../../contacts/consent/stop-words.ts";
import type { keys } from "./contract/keys.ts";
import type { Handlers } from "./handlers.ts";

/** The words by which customers opt out and in again, and a workspace's own ones. */
export const consentWordHandlers: Handlers<
  Pick<typeof keys, "listConsentWords" | "addConsentWord" | "removeConsentWord">
> = {
  async listConsentWords(context, { caller }) {
    const own = await listOwnWords(context, caller.workspaceId);
    const { stop, typed, start } = CONSENT_WORDS;
    const words = own.map(({ word, wish, shown }) => ({ word, wish, shown }));
    return { own: words, stop: [...stop], typed: [...typed], start: [...start] };
  },

  addConsentWord: (context, { caller, body }) =>
    addOwnWord(caller.actor, context, caller.workspaceId, body),

  async removeConsentWord(context, { caller, params }) {
    await removeOwnWord(caller.actor, context, caller.workspaceId, params.word);
    return {};
  },
};
