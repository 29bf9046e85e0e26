import type { AnswerOf } from "../api/call.ts";
import { count } from "../kit/format.ts";
import { t } from "../text/t.ts";

type Notice = AnswerOf<"listNotices">["items"][number];

/** What a notification says: one line, and what there is besides. */
export function noticeWords({ kind, subject, body, facts }: Notice): {
  readonly title: string;
  readonly text: string;
} {
  const number = (name: string): string => count(Number(facts[name] ?? 0));
  const outcome = String(facts["outcome"] ?? "");
  switch (kind) {
    case "mention":
      return { title: t("shell.notice.mention", { name: subject }), text: body };
    case "assigned":
      return {
        title:
          subject === ""
            ? t("shell.notice.assigned")
            : t("shell.notice.assignedBy", { name: subject }),
        text: body,
      };
    case "handed_over":
      return { title: t("shell.notice.handedOver", { name: subject }), text: body };
    case "import": {
      const file = { file: String(facts["file"] ?? "") };
      if (outcome === "failed")
        return {
          title: t("shell.notice.import.failed", file),
          text: t("shell.notice.import.why"),
        };
      return {
        title: t(
          outcome === "stopped" ? "shell.notice.import.stopped" : "shell.notice.import.done",
          file,
        ),
        text: t("shell.notice.import.sums", {
          created: number("created"),
          updated: number("updated"),
          unchanged: number("unchanged"),
          refused: number("refused"),
        }),
      };
    }
    case "change": {
      const what = { what: changeName(String(facts["action"] ?? "")) };
      return {
        title: t(
          outcome === "failed" ? "shell.notice.change.failed" : "shell.notice.change.done",
          what,
        ),
        text: t("contacts.job.done", { changed: Number(facts["changed"] ?? 0) }),
      };
    }
    case "system":
      if (outcome === "cases_fail")
        return {
          title: t("shell.notice.casesFail", {
            bot: String(facts["bot"] ?? ""),
            count: Number(facts["count"] ?? 0),
            shown: number("count"),
          }),
          text: String(facts["question"] ?? ""),
        };
      if (outcome === "reset_asked")
        return {
          title: t("shell.notice.resetAsked", { name: String(facts["name"] ?? "") }),
          text: t("shell.notice.resetAsked.text"),
        };
      return { title: subject, text: body };
    case "export":
    case "campaign":
      return { title: subject, text: body };
  }
}

function changeName(action: string): string {
  switch (action) {
    case "tag":
    case "untag":
    case "set_attribute":
    case "opt_out":
    case "opt_in":
    case "delete":
      return t(`contacts.bulk.${action}`);
    default:
      return action;
  }
}
