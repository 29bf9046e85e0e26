import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Button, Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { Badge } from "../kit/badge.tsx";
import { Icon } from "../kit/icon.tsx";
import { Page, Part } from "../kit/page.tsx";
import { useCall } from "../kit/use-call.ts";
import { useMay } from "../kit/use-may.ts";
import { t } from "../text/t.ts";
import { BotMenu } from "./bot-menu.tsx";
import { KINDS, STATES } from "./bot-words.ts";
import { botQuery, saveDraft, type Bot, type BotDocument } from "./bots-query.ts";
import { download, written } from "./document-file.ts";
import { FailureOfBot } from "./failure-of-bot.tsx";
import { FaultList } from "./faults.tsx";
import { ImportDocument } from "./new-bot.tsx";
import { Profile } from "./profile.tsx";
import { PublishBot } from "./publish.tsx";
import { TestBench } from "./test-bench.tsx";
import { Versions } from "./versions.tsx";
import "./bots.css";

/** `/bots/:id`: one bot. An AI bot has forms; the others show their document. */
export function BotPage() {
  const { id } = useParams({ from: "/members/bots/$id" });
  const { data } = useQuery(botQuery(id));
  return data && <BotEditor key={id} bot={data} />;
}

function BotEditor({ bot }: { readonly bot: Bot }) {
  const mayWrite = useMay("saveBotDraft") && bot.status !== "archived";
  const mayManage = useMay("createBot");
  /** What is written and not yet saved; null: nothing. */
  const [edited, setEdited] = useState<BotDocument | null>(null);
  const [publishing, setPublishing] = useState<Bot | null>(null);
  const [said, setSaid] = useState("");
  /** Counts what replaced the draft from elsewhere: the forms then begin again. */
  const [replaced, setReplaced] = useState(0);
  const [tab, setTab] = useState("profile");
  const document = edited ?? bot.document;
  const keep = async (): Promise<Bot> => {
    if (edited === null) return bot;
    const saved = await saveDraft(bot.id, edited);
    setEdited((now) => (now === edited ? null : now));
    return saved;
  };
  const save = useCall(async () => {
    await keep();
    setSaid(t("bots.saved"));
  });
  const publish = useCall(async () => {
    setSaid("");
    setPublishing(await keep());
  });
  const replace = async (from: BotDocument): Promise<void> => {
    await saveDraft(bot.id, from);
    setEdited(null);
    setReplaced((times) => times + 1);
    setSaid(t("bots.saved"));
  };
  const isAi = bot.kind === "ai";
  const [tone, state] = STATES[bot.status];
  return (
    <Page
      title={bot.name}
      lead={
        <span className="bots-state">
          <Badge tone={tone}>{t(state)}</Badge>
          <span>{t(KINDS[bot.kind])}</span>
          {bot.version !== null && <span>{t("bots.version.of", { number: bot.version })}</span>}
          {bot.version !== null && bot.draft && <span>{t("bots.draft.differs")}</span>}
        </span>
      }
      back={{ href: "/bots", name: t("shell.bots") }}
      actions={
        <>
          {mayManage && <BotMenu bot={bot} />}
          {!isAi && (
            <Button onPress={() => download(bot.name, document)}>
              <Icon name="download" />
              {t("bots.export")}
            </Button>
          )}
          {mayWrite && !isAi && <ImportDocument take={replace} />}
          {mayWrite && isAi && (
            <Button isDisabled={edited === null} isPending={save.busy} onPress={() => save.start()}>
              {t("bots.save")}
            </Button>
          )}
          {mayWrite && (
            <Button className="primary" isPending={publish.busy} onPress={() => publish.start()}>
              {t("bots.publish")}
            </Button>
          )}
        </>
      }
    >
      <FailureOfBot of={save.failed ?? publish.failed} />
      <p role="status" className="bots-said">
        {edited === null ? said : t("bots.unsaved")}
      </p>
      <Tabs selectedKey={tab} onSelectionChange={(key) => setTab(String(key))}>
        <TabList aria-label={bot.name}>
          <Tab id="profile">{t(isAi ? "bots.tab.profile" : "bots.tab.document")}</Tab>
          {isAi && <Tab id="bench">{t("bots.tab.bench")}</Tab>}
          <Tab id="versions">{t("bots.tab.versions")}</Tab>
        </TabList>
        <TabPanel id="profile">
          {isAi ? (
            <Profile
              key={replaced}
              document={document}
              mayWrite={mayWrite}
              change={(make) => {
                setSaid("");
                setEdited((now) => make(now ?? bot.document));
              }}
            />
          ) : (
            <DocumentView bot={bot} />
          )}
        </TabPanel>
        {isAi && (
          <TabPanel id="bench">
            <TestBench id={bot.id} beforeAsking={mayWrite ? keep : null} />
          </TabPanel>
        )}
        <TabPanel id="versions">
          <Versions
            bot={bot}
            mayWrite={mayWrite}
            restored={() => {
              setEdited(null);
              setReplaced((times) => times + 1);
            }}
          />
        </TabPanel>
      </Tabs>
      {publishing && (
        <PublishBot
          bot={publishing}
          close={() => setPublishing(null)}
          showCases={() => {
            setPublishing(null);
            setTab("bench");
          }}
          done={({ version }) => setSaid(t("bots.published", { number: version }))}
        />
      )}
    </Page>
  );
}

/** The draft of a flow or an external bot, as its file has it, and what keeps it from being published. */
function DocumentView({ bot }: { readonly bot: Bot }) {
  return (
    <>
      {bot.faults.length > 0 && (
        <Part title={t("bots.faults")}>
          <FaultList faults={bot.faults} />
        </Part>
      )}
      <Part title={t("bots.tab.document")}>
        <p className="hint">{t("bots.document.hint")}</p>
        {/* It scrolls, so the keyboard must reach it. */}
        <pre
          className="bots-document"
          dir="ltr"
          role="region"
          aria-label="JSON"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
        >
          {written(bot.document)}
        </pre>
      </Part>
    </>
  );
}
