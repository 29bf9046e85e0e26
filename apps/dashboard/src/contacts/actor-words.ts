import type { Bootstrap } from "../api/shapes.ts";
import { t } from "../text/t.ts";

type Members = Bootstrap["members"];

const memberName = (id: string | null, members: Members): string =>
  members.find((member) => member.id === id)?.name ?? t("contacts.source.gone");

const isId = (detail: string): boolean => /^[0-9a-f-]{36}$/.test(detail);

/** The author of a change, by its source (docs/privacy.md) and its reference: a word, a code, a member's id. */
export function sourceText(source: string, detail: string | null, members: Members): string {
  switch (source) {
    case "stop_word":
      return detail === null
        ? t("contacts.source.stop_word.plain")
        : t("contacts.source.stop_word", { detail });
    case "platform":
      return detail === null || detail.includes("-")
        ? t("contacts.source.platform.plain")
        : t("contacts.source.platform", { detail });
    case "dashboard":
      return t("contacts.source.dashboard", { name: memberName(detail, members) });
    case "api":
      // An id says nothing to a person.
      return detail === null || isId(detail)
        ? t("contacts.source.api.plain")
        : t("contacts.source.api", { detail });
    case "bulk":
      return detail === null || isId(detail)
        ? t("contacts.source.bulk")
        : t("contacts.source.bulk.reason", { detail });
    case "import":
      return t("contacts.source.import");
    case "cli":
      return t("contacts.source.cli");
    case "number":
      return t("contacts.source.number");
    case "merge":
      return t("contacts.source.merge");
    case "bot":
      return t("contacts.source.bot");
    case "site":
      return t("contacts.source.site");
    default:
      return t("contacts.source.system");
  }
}

/** An actor of the audit: `member:ID`, `key:pk_…`, `operator` … */
export function actorText(actor: string, members: Members): string {
  const [kind = "", rest = null] = actor.split(":", 2);
  const sources: Readonly<Record<string, string>> = {
    member: "dashboard",
    key: "api",
    bot: "bot",
    operator: "cli",
  };
  return sourceText(sources[kind] ?? "system", rest, members);
}
