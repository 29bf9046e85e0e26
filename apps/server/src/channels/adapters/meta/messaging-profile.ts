import type { ProfileSource } from "../../adapter.ts";
import { retriable } from "../media-refusal.ts";
import { outcomeOfNoAnswer } from "../no-answer.ts";
import { readGraphAnswer } from "./graph-error.ts";
import { textOrNull } from "./json.ts";
import { messagingCodes } from "./messaging-codes.ts";
import { outcomeOfGraphFailure } from "./outcome.ts";

const TIMEOUT_MS = 10_000;

/**
 * `GET /{customer}?fields=…` (channels.md §3.2, the user profile API): Messenger has first and last name,
 * Instagram a name, which may be missing, and a user name. Only for people who wrote to us.
 */
export const messagingProfiles: ProfileSource = {
  async fetchProfile(http, account, customer) {
    const token = account.secrets["accessToken"] ?? "";
    const isMessenger = account.type === "MESSENGER";
    const fields = isMessenger ? "first_name,last_name" : "name,username";
    const query = new URLSearchParams({ fields });
    try {
      const response = await http.request({
        method: "GET",
        url: `${account.apiUrl}/${encodeURIComponent(customer)}?${query.toString()}`,
        headers: { authorization: `Bearer ${token}` },
        timeoutMs: TIMEOUT_MS,
      });
      const answer = readGraphAnswer(response);
      if (response.status !== 200 || answer === null)
        return retriable(outcomeOfGraphFailure(response, token, messagingCodes));
      const names = [textOrNull(answer["first_name"]), textOrNull(answer["last_name"])];
      const whole = names.filter((one) => one !== null).join(" ");
      const name = isMessenger
        ? whole || null
        : (textOrNull(answer["name"]) ?? textOrNull(answer["username"]));
      return { ok: true, profile: { name } };
    } catch (error) {
      return retriable(outcomeOfNoAnswer(error));
    }
  },
};
