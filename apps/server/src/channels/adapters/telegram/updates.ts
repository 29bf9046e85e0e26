import type { UpdateSource } from "../../adapter.ts";
import { number, records } from "../meta/json.ts";
import { outcomeOfNoAnswer } from "../no-answer.ts";
import { callBot, readBotAnswer } from "./api.ts";
import { outcomeOfTelegramFailure } from "./outcome.ts";
import { ALLOWED_UPDATES, readUpdate } from "./parse.ts";
import { isPolled } from "./setup.ts";

/** The most updates of a call: the platform's own limit. */
const LIMIT = 100;
/** A hundred of the longest messages, every letter of them escaped. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** How long an answer may take beyond the wait that we asked for. */
const GRACE_MS = 10_000;

/** `getUpdates` (channels.md §5.3): 409 while a webhook is set, or while another program asks. */
export const telegramUpdates: UpdateSource = {
  isPolled,
  async poll(http, account, position, { waitMs, receivedAt, signal }) {
    try {
      const response = await callBot(
        http,
        account,
        "getUpdates",
        {
          ...(position > 0 && { offset: position }),
          limit: LIMIT,
          timeout: Math.floor(waitMs / 1000),
          allowed_updates: ALLOWED_UPDATES,
        },
        { timeoutMs: waitMs + GRACE_MS, maxResponseBytes: MAX_ANSWER_BYTES, signal },
      );
      const answer = readBotAnswer(response);
      if (response.status !== 200 || answer?.["ok"] !== true || !Array.isArray(answer["result"]))
        return outcomeOfTelegramFailure(response, account.secrets["botToken"] ?? "", answer);
      const updates = records(answer["result"]);
      const reading = { accountExternalId: account.externalId, receivedAt };
      const next = Math.max(
        position,
        ...updates.map((one) => (number(one["update_id"]) ?? -1) + 1),
      );
      const events = updates.flatMap((update) => readUpdate(reading, update));
      return { ok: true, events, position: next };
    } catch (error) {
      return outcomeOfNoAnswer(error);
    }
  },
};
