import type { ControlTable } from "../core/control.ts";
import { Given } from "../core/control.ts";
import type { PageEmulator } from "./emulator.ts";
import type { PageInboundFile } from "./options.ts";

/** The controls over HTTP beside the common ones: the same methods that a test calls on the object. */
export function pageControl(emulator: PageEmulator): ControlTable {
  return {
    looks: { webhooks: () => emulator.webhooks(), callbacks: () => emulator.stats },
    acts: {
      inbound: (given) => {
        const [pageId, from] = [given.text("pageId"), given.text("from")];
        const who = { pageId, from, times: given.numberOr("times", 1) };
        const act = given.object("act");
        if (act) return emulator.act(who, act) ?? {};
        const id = given.texts("id");
        const files = given.body["files"];
        if (Array.isArray(files))
          return {
            id: emulator.inbound({
              ...who,
              ...id,
              ...given.texts("text"),
              files: files.map(inboundFile),
            }),
          };
        const message = given.object("message") ?? { text: given.text("text") };
        return { id: emulator.inbound({ ...who, ...id, message }) };
      },
      "agent-reply": (given) => ({
        id: emulator.agentReply(given.text("pageId"), given.text("to"), given.text("text")),
      }),
      mark: (given) => {
        const status = given.oneOf("status", ["read", "delivered"]);
        emulator.mark(given.text("pageId"), given.text("from"), status, given.texts("mid").mid);
        return { queued: emulator.stats.queued };
      },
      customer: (given) => {
        // The name may be null: then the platform does not tell it.
        const names = ["firstName", "lastName", "name", "username", "profilePic"] as const;
        const told = names.flatMap((name) => {
          const value = given.body[name];
          return typeof value === "string" || value === null ? [[name, value] as const] : [];
        });
        emulator.setCustomer(given.text("id"), Object.fromEntries(told));
        return {};
      },
      page: (given) => {
        const { webhookUrl } = given.texts("webhookUrl");
        emulator.addPage({
          id: given.text("id"),
          accessToken: given.text("accessToken"),
          appSecret: given.text("appSecret"),
          ...given.numbers("tokenIssuedAt"),
          ...(webhookUrl !== undefined && { webhook: { url: webhookUrl } }),
        });
        return {};
      },
    },
  };
}

const FILE_TYPES = ["image", "audio", "video", "file", "sticker"] as const;

/** `{ type, mimeType, data: base64, fileName? }`. */
function inboundFile(value: unknown): PageInboundFile {
  const given = new Given(typeof value === "object" && value !== null ? value : {});
  return {
    type: given.oneOf("type", FILE_TYPES),
    mimeType: given.text("mimeType"),
    bytes: Buffer.from(given.text("data"), "base64"),
    ...given.texts("fileName"),
  };
}
