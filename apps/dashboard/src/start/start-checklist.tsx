import { useBootstrap } from "../inbox/use-inbox.ts";
import { t, type PlainKey } from "../text/t.ts";
import "./start.css";

interface Step {
  readonly title: PlainKey;
  readonly text: PlainKey;
  readonly done: boolean;
  /** Where it is done: a page of the dashboard, or a command on the server. */
  readonly link?: { readonly href: string; readonly label: PlainKey };
  readonly command?: string;
}

/** What a new workspace does first. Agents see what they can do: play a customer. */
export function StartChecklist() {
  const bootstrap = useBootstrap();
  const steps = stepsOf(bootstrap);
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
            {!step.done && step.link && <a href={step.link.href}>{t(step.link.label)}</a>}
            {!step.done && step.command && (
              <code dir="ltr" tabIndex={0}>
                {step.command}
              </code>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function stepsOf({
  member,
  members,
  channels,
  workspace,
}: ReturnType<typeof useBootstrap>): Step[] {
  const sandbox: Step = {
    title: "start.sandbox",
    text: "start.sandbox.text",
    done: false,
    link: { href: "/sandbox", label: "start.sandbox.link" },
  };
  if (member.role === "agent") return [sandbox];
  const of = `--workspace ${workspace.id}`;
  return [
    sandbox,
    {
      title: "start.channel",
      text: "start.channel.text",
      done: channels.some((channel) => !channel.sandbox && channel.status === "connected"),
      command: `./bin/parley channel connect whatsapp ${of} --help`,
    },
    {
      title: "start.invite",
      text: "start.invite.text",
      done: members.length > 1,
      link: { href: "/settings/team", label: "start.invite.link" },
    },
    {
      title: "start.key",
      text: "start.key.text",
      done: false,
      command: `./bin/parley key create ${of} --help`,
    },
  ];
}
