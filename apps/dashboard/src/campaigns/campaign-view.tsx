import { useState } from "react";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { Link, Tab, TabPanel, Tabs } from "react-aria-components";
import { call } from "../api/call.ts";
import { Badge } from "../kit/badge.tsx";
import { count, momentIn } from "../kit/format.ts";
import { Facts, Page, Part } from "../kit/page.tsx";
import { Progress } from "../kit/progress.tsx";
import { TabRow } from "../kit/tab-row.tsx";
import { readAgain } from "../live/reread-queries.ts";
import { isAbout, useNews } from "../desk/use-news.ts";
import { t } from "../text/t.ts";
import { Breakdown } from "./breakdown.tsx";
import { CampaignActions } from "./campaign-actions.tsx";
import { Comparison } from "./comparison.tsx";
import type { Campaign } from "./contract.ts";
import { clockOf, formOf } from "./form.ts";
import { MessageBubble } from "./message-bubble.tsx";
import { Pace } from "./pace.tsx";
import { campaignQuery, templatesQuery, timelineQuery } from "./queries.ts";
import { ReasonLink, Reasons } from "./reasons.tsx";
import { Recipients } from "./recipients.tsx";
import { Replies } from "./replies.tsx";
import { Results } from "./results.tsx";
import { EstimateText } from "./estimate-text.tsx";
import { Timeline } from "./timeline.tsx";
import { causeText, kindWord, platformWord, stateTone, stateWord } from "./words.ts";

const TIMELINE_MS = 3_000;
/** The report counts every recipient. */
const REPORT_MS = 5_000;
const LARGE = 200_000;
const LARGE_REPORT_MS = 60_000;

/** A campaign that was started or is scheduled: its progress, its results, and the actions on it. */
export function CampaignView({ id }: { readonly id: string }) {
  const campaign = useSuspenseQuery(campaignQuery(id)).data;
  const { status, statusReason, name, totalCount, startedAt } = campaign;
  const hasReport = startedAt !== null || totalCount > 0;
  const reported = useQuery({
    queryKey: ["campaigns", "of", id, "report", status],
    queryFn: ({ signal }) => call("campaignReport", { params: { id }, signal }),
    enabled: hasReport,
  });
  const report = reported.data;
  const gapMs = totalCount > LARGE ? LARGE_REPORT_MS : REPORT_MS;
  const countAgain = async (): Promise<void> => {
    if (hasReport) await readAgain(reported);
  };
  useNews("broadcast", isAbout(id), gapMs, countAgain);
  // An answer moves a row of the inbox.
  useNews("desk", ({ rows }) => rows.length > 0, gapMs, countAgain);
  const begun = totalCount > 0;
  return (
    <Page
      title={name}
      back={{ href: "/campaigns", name: t("shell.campaigns") }}
      lead={<Lead campaign={campaign} />}
      actions={<CampaignActions campaign={campaign} unknown={report?.unknownCount ?? 0} />}
    >
      {statusReason !== null && (
        <p role="status" className="campaign-warning">
          {causeText(statusReason)}
        </p>
      )}
      {status === "RUNNING" && <Waiting campaign={campaign} />}
      {begun && (
        <Part title={t("campaigns.sending")} actions={<Pace campaign={campaign} />}>
          <Sending campaign={campaign} />
        </Part>
      )}
      {status === "SCHEDULED" && <Scheduled campaign={campaign} />}
      {status === "QUEUED" && !begun && <p role="status">{t("campaigns.queued.text")}</p>}
      {begun && (
        <>
          <Results campaign={campaign} report={report} />
          {report && <Reasons id={id} report={report} status={status} />}
          <Breakdown campaign={campaign} />
          {campaign.variants.length > 0 && <Comparison campaign={campaign} />}
        </>
      )}
      {startedAt !== null && <Timeline id={id} />}
      {begun ? (
        <PeopleAndDetails campaign={campaign} />
      ) : (
        <Part title={t("campaigns.details")}>
          <Details campaign={campaign} />
        </Part>
      )}
    </Page>
  );
}

/** The people of the campaign and what it is. A number above that leads to people opens them, whatever tab was read. */
function PeopleAndDetails({ campaign }: { readonly campaign: Campaign }) {
  const { id, variants, channelType, kind } = campaign;
  const location = useLocation();
  const [seen, setSeen] = useState(location);
  const [tab, setTab] = useState("recipients");
  if (location !== seen) {
    setSeen(location);
    if (location.hash === "recipients") setTab("recipients");
  }
  return (
    <Tabs
      className="campaign-tabs"
      selectedKey={tab}
      onSelectionChange={(key) => setTab(String(key))}
    >
      <TabRow name={t("campaigns.people")}>
        <Tab id="recipients">{t("campaigns.recipients")}</Tab>
        <Tab id="replies">{t("campaigns.replies")}</Tab>
        <Tab id="details">{t("campaigns.details")}</Tab>
      </TabRow>
      <TabPanel id="recipients">
        <Recipients id={id} split={variants.length > 0} channelType={channelType} />
      </TabPanel>
      <TabPanel id="replies">
        <Replies id={id} sms={kind === "SMS"} />
      </TabPanel>
      <TabPanel id="details">
        <Details campaign={campaign} />
      </TabPanel>
    </Tabs>
  );
}

function Lead({ campaign }: { readonly campaign: Campaign }) {
  const { status, kind, channelType, isTest, parentId, parentName } = campaign;
  return (
    <span className="campaign-states">
      <Badge tone={stateTone(status)}>{stateWord(status)}</Badge>
      <span>
        {kind === "SMS" ? kindWord(kind) : `${platformWord(channelType)} · ${kindWord(kind)}`}
      </span>
      {parentId !== null && (
        <span>
          {t(isTest ? "campaigns.testOf" : "campaigns.resendOf")}{" "}
          <Link href={`/campaigns/${parentId}`}>
            <bdi>{parentName ?? parentId}</bdi>
          </Link>
        </span>
      )}
    </span>
  );
}

/** Nothing is sent for a while: until when, and why. */
function Waiting({ campaign: { id, now, timeZone } }: { readonly campaign: Campaign }) {
  const timeline = useQuery(timelineQuery(id, "minute"));
  const { data } = timeline;
  useNews("broadcast", isAbout(id), TIMELINE_MS, () => readAgain(timeline));
  const last = data?.entries.findLast(({ kind }) => kind === "waited");
  if (!last?.until || last.until <= now) return null;
  return (
    <p role="status" className="campaign-warning">
      {t("campaigns.entry.waited", { until: momentIn(timeZone, last.until) })}.{" "}
      {causeText(last.cause ?? "")}
    </p>
  );
}

/** How many of the audience are finished, and the present figures. They add up at every moment. */
function Sending({ campaign }: { readonly campaign: Campaign }) {
  const { totalCount, sentCount, deliveredCount, readCount, failedCount, skippedCount } = campaign;
  const over = sentCount + failedCount + skippedCount;
  const figures = [
    ["total", totalCount],
    ["waiting", totalCount - over],
    ["sent", sentCount],
    ["delivered", deliveredCount],
    ["read", readCount],
    ["failed", failedCount],
    ["skipped", skippedCount],
  ] as const;
  return (
    <>
      <Progress
        label={t("campaigns.progress")}
        done={over}
        of={totalCount}
        text={t("campaigns.progress.text", { over: count(over), total: count(totalCount) })}
        {...(campaign.status === "PAUSED" && { tone: "warn" as const })}
      />
      <dl className="campaign-figures">
        {figures.map(([key, value]) => (
          <div key={key} data-figure={key}>
            <dt>{t(`campaigns.${key}`)}</dt>
            <dd>
              {value > 0 && (key === "read" || key === "failed" || key === "skipped") ? (
                <ReasonLink id={campaign.id} status={key} reason="" number={value} />
              ) : (
                count(value)
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Scheduled({ campaign }: { readonly campaign: Campaign }) {
  const { id, scheduledAt, timeZone, localTime, rateLimitPerMinute } = campaign;
  const estimate = useQuery({
    queryKey: ["campaigns", "of", id, "estimate"],
    queryFn: ({ signal }) => call("estimateBroadcast", { params: { id }, signal }),
    retry: false,
  }).data?.estimate;
  return (
    <Part title={t("campaigns.scheduled.title")}>
      {scheduledAt !== null && (
        <p>
          {t(localTime ? "campaigns.scheduled.local" : "campaigns.scheduled.at", {
            at: momentIn(timeZone, scheduledAt),
            zone: timeZone,
          })}
        </p>
      )}
      {estimate === null && <p className="hint">{t("campaigns.reach.tooLong")}</p>}
      {estimate && <EstimateText of={estimate} rate={String(rateLimitPerMinute)} />}
    </Part>
  );
}

function Details({ campaign }: { readonly campaign: Campaign }) {
  const { segmentId, segmentName, timeZone, createdAt, startedAt, completedAt, replyDays } =
    campaign;
  const { quietFrom, quietUntil, rateLimitPerMinute } = campaign;
  const moment = (at: string | null) => (at === null ? "–" : momentIn(timeZone, at));
  return (
    <>
      <Facts
        of={[
          [
            t("campaigns.audience"),
            segmentId === null ? (
              t("campaigns.everyone")
            ) : (
              <Link key="s" href={`/segments/${segmentId}`}>
                <bdi>{segmentName ?? t("campaigns.segmentGone")}</bdi>
              </Link>
            ),
          ],
          [t("campaigns.created"), moment(createdAt)],
          [t("campaigns.started"), moment(startedAt)],
          [t("campaigns.ended"), moment(completedAt)],
          [
            t("campaigns.zone"),
            <bdi key="z" dir="ltr">
              {timeZone}
            </bdi>,
          ],
          ...(quietFrom === null || quietUntil === null
            ? []
            : [
                [
                  t("campaigns.quiet.short"),
                  <bdi key="q" dir="ltr">{`${clockOf(quietFrom)}–${clockOf(quietUntil)}`}</bdi>,
                ] as const,
              ]),
          [t("campaigns.pace"), count(rateLimitPerMinute)],
          [t("campaigns.replyDays"), count(replyDays)],
        ]}
      />
      <Messages of={campaign} />
    </>
  );
}

/** What people get, as a phone shows it, with what was written for the places of its template. */
function Messages({ of: campaign }: { readonly of: Campaign }) {
  const { data, error } = useQuery(templatesQuery(campaign.channelId));
  if (!data && !error) return null;
  const templates = data ?? [];
  return (
    <ul className="campaign-messages">
      {formOf(campaign, templates).texts.map((text) => {
        const template = templates.find(({ id }) => id === text.templateId);
        return (
          <li key={text.name}>
            {text.name !== "" && (
              <strong>
                <bdi>{text.name}</bdi>
              </strong>
            )}
            {text.templateId !== "" && (
              <Link href={`/templates/${text.templateId}`}>
                {template ? (
                  <bdi dir="ltr">{`${template.name} (${template.language})`}</bdi>
                ) : (
                  t("campaigns.openTemplate")
                )}
              </Link>
            )}
            {(template || text.templateId === "") && (
              <MessageBubble text={text} template={template} kind={campaign.kind} />
            )}
          </li>
        );
      })}
    </ul>
  );
}
