import { Link } from "react-aria-components";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { call, type AnswerOf } from "../api/call.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { useMay } from "../kit/use-may.ts";
import { t, type PlainKey } from "../text/t.ts";
import "./start.css";

interface Step {
  readonly title: PlainKey;
  readonly text: PlainKey;
  readonly done: boolean;
  /** Where it is done. */
  readonly link: { readonly href: string; readonly label: PlainKey };
}

/**
 * The first steps of a new workspace, each ticked off once it is done. Agents see the one that they can do: play a
 * customer. When all are done, `otherwise` is shown.
 */
export function StartChecklist({
  talked,
  otherwise,
}: {
  /** There was a conversation. */
  readonly talked: boolean;
  readonly otherwise: ReactNode;
}) {
  const bootstrap = useBootstrap();
  const mayRead = useMay("readStart");
  const { data: known } = useQuery({
    queryKey: ["start"],
    queryFn: ({ signal }) => call("readStart", { signal }),
    enabled: mayRead,
    // What was done on another page since shows at once.
    staleTime: 0,
  });
  const steps = stepsOf(bootstrap, known, talked);
  if (steps.every(({ done }) => done)) return otherwise;
  return (
    <section className="start" aria-labelledby="start-title">
      <h2 id="start-title">{t("start.title")}</h2>
      <ol>
        {steps.map((step) => (
          <li key={step.title} className={step.done ? "start-step start-done" : "start-step"}>
            <h3>
              {t(step.title)}
              {step.done && <span className="start-mark">{t("start.done")}</span>}
            </h3>
            <p>{t(step.text)}</p>
            {!step.done && <Link href={step.link.href}>{t(step.link.label)}</Link>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function stepsOf(
  { member, workspace, members, channels }: ReturnType<typeof useBootstrap>,
  known: AnswerOf<"readStart"> | undefined,
  talked: boolean,
): Step[] {
  const sandbox: Step = {
    title: "start.sandbox",
    text: "start.sandbox.text",
    done: talked,
    link: { href: "/sandbox", label: "start.sandbox.link" },
  };
  if (member.role === "agent") return [sandbox];
  const isTest = workspace.kind === "test";
  const done = known?.key ?? false;
  const href = "/settings/api-keys";
  const key: Step = isTest
    ? {
        title: "start.play",
        text: "start.play.text",
        done,
        link: { href, label: "start.play.link" },
      }
    : { title: "start.key", text: "start.key.text", done, link: { href, label: "start.key.link" } };
  const channel: Step = {
    title: "start.channel",
    text: "start.channel.text",
    done: channels.some((one) => !one.sandbox && one.status === "connected"),
    link: { href: "/settings/channels/connect", label: "start.channel.link" },
  };
  return [
    sandbox,
    // A test workspace has channels of the sandbox only.
    ...(isTest ? [key] : [channel]),
    {
      title: "start.invite",
      text: "start.invite.text",
      done: members.length > 1,
      link: { href: "/settings/team", label: "start.invite.link" },
    },
    {
      title: "start.import",
      text: "start.import.text",
      done: known?.imported ?? false,
      link: { href: "/contacts/import", label: "start.import.link" },
    },
    {
      title: "start.campaign",
      text: "start.campaign.text",
      done: known?.campaign ?? false,
      link: { href: "/campaigns/new", label: "start.campaign.link" },
    },
    ...(isTest ? [] : [key]),
  ];
}
