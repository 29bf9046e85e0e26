import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { Button, Tab, TabPanel, Tabs } from "react-aria-components";
import { queryClient } from "../api/query-client.ts";
import { Badge } from "../kit/badge.tsx";
import { ChangedMeanwhile, useVersion } from "../kit/changed-meanwhile.tsx";
import { Icon } from "../kit/icon.tsx";
import { Page } from "../kit/page.tsx";
import { PageLate } from "../kit/page-late.tsx";
import { TabRow } from "../kit/tab-row.tsx";
import { useCall } from "../kit/use-call.ts";
import { useMay } from "../kit/use-may.ts";
import { t, type PlainKey } from "../text/t.ts";
import { AskBeforeLeaving } from "./ask-before-leaving.tsx";
import { BotKnowledge } from "./bot-knowledge.tsx";
import { BotMenu } from "./bot-menu.tsx";
import { KINDS, STATES } from "./bot-words.ts";
import { botQuery, saveDraft, type Bot, type BotDocument } from "./bots-query.ts";
import { download } from "./document-file.ts";
import { External } from "./external.tsx";
import { FailureOfBot } from "./failure-of-bot.tsx";
import { FlowEditor } from "./flow-editor.tsx";
import { beginEdits, edit, undo, type Edits } from "./edits.ts";
import { ImportDocument } from "./new-bot.tsx";
import { Procedures } from "./procedures.tsx";
import { Profile } from "./profile.tsx";
import { PublishBot } from "./publish.tsx";
import { BotResults } from "./report-page.tsx";
import { TestBench } from "./test-bench.tsx";
import { Triggers } from "./triggers.tsx";
import { Versions } from "./versions.tsx";
import "./bots.css";

/** `/bots/:id`: one bot: what it is made of, what begins it, and what was published of it. */
export function BotPage() {
  const { id } = useParams({ from: "/members/bots/$id" });
  const { data } = useQuery(botQuery(id));
  return data ? <BotEditor key={id} bot={data} /> : <PageLate />;
}

function BotEditor({ bot }: { readonly bot: Bot }) {
  const mayWrite = useMay("saveBotDraft") && bot.status !== "archived";
  const mayManage = useMay("createBot");
  const [publishing, setPublishing] = useState<Bot | null>(null);
  const [said, setSaid] = useState("");
  const [tab, setTab] = useState<string>(FIRST_TAB[bot.kind]);
  const draft = useDraft(bot, () => setSaid(""));
  const { edits, setEdits, document, isChanged, change, version, keep, replaced } = draft;
  const save = useCall(async (over?: string) => {
    await keep(over);
    setSaid(t("bots.saved"));
  });
  const publish = useCall(async () => {
    setSaid("");
    setPublishing(await keep());
  });
  const replace = async (from: BotDocument): Promise<void> => {
    const shown = edits === null ? bot.etag : undefined;
    await version.guard((ifMatch) => saveDraft(bot.id, from, ifMatch), shown);
    draft.beginAgain();
    setSaid(t("bots.saved"));
  };
  const load = async (): Promise<void> => {
    await queryClient.fetchQuery({ ...botQuery(bot.id), staleTime: 0 });
    setPublishing(null);
    draft.beginAgain();
  };
  const maySeeResults = useMay("botReport");
  const isAi = bot.kind === "ai";
  const tabs = tabsOf({
    bot,
    document,
    mayWrite,
    maySeeResults,
    change,
    undo: edits && edits.past.length > 0 ? () => setEdits((now) => now && undo(now)) : null,
    keep: mayWrite ? () => keep() : null,
    replaced,
    restored: draft.beginAgain,
  });
  return (
    <Page
      title={bot.name}
      lead={<BotState of={bot} />}
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
          {mayWrite && (
            <>
              {/* The test bench of an AI bot has an Import of its own. */}
              {!isAi && <ImportDocument take={replace} />}
              <DraftButtons
                isChanged={isChanged}
                discard={() => {
                  change(() => bot.document);
                  draft.fillAgain();
                }}
                save={save}
                publish={publish}
              />
            </>
          )}
        </>
      }
    >
      {version.other === null && <FailureOfBot of={save.failed ?? publish.failed} />}
      <ChangedMeanwhile version={version} save={save} load={load} />
      <p role="status" className="bots-said">
        {isChanged ? t("bots.unsaved") : said}
      </p>
      <BotTabs name={bot.name} of={tabs} tab={tab} turn={setTab} />
      <AskBeforeLeaving isChanged={isChanged} />
      {publishing && version.other === null && (
        <PublishBot
          bot={publishing}
          guard={version.guard}
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

/** The draft that is being written, and the version of it that the writing began with. */
function useDraft(bot: Bot, begun: () => void) {
  const version = useVersion(bot.etag);
  /** Counts what replaced the draft from elsewhere: the forms then begin again. */
  const [replaced, setReplaced] = useState(0);
  const fillAgain = (): void => setReplaced((times) => times + 1);
  const edited = useEdits(bot, (isFirst) => {
    begun();
    if (isFirst) version.begin(bot.etag);
  });
  const { document, isChanged, setEdits } = edited;
  /** `over`: over the version that another member saved meanwhile. */
  const keep = async (over?: string): Promise<Bot> => {
    if (!isChanged && over === undefined) return bot;
    const saved = await version.guard((ifMatch) => saveDraft(bot.id, document, ifMatch), over);
    version.begin(saved.etag);
    setEdits((now) => (now === null || now.now === document ? null : now));
    return saved;
  };
  /** Shows the draft as it is stored by now. */
  const beginAgain = (): void => {
    setEdits(null);
    version.clear();
    fillAgain();
  };
  return { ...edited, version, replaced, keep, beginAgain, fillAgain };
}

/**
 * What is written and not yet saved, with what was before it; null: nothing. `begun` is called with each change, which may be
 * the first one to this draft.
 */
function useEdits(bot: Bot, begun: (isFirst: boolean) => void) {
  const [edits, setEdits] = useState<Edits | null>(null);
  const change: Change = (make, field) => {
    begun(edits === null);
    setEdits((now) => {
      const before = now ?? beginEdits(bot.document);
      return edit(before, make(before.now), field ?? null);
    });
  };
  const document = edits?.now ?? bot.document;
  const isChanged = edits !== null && edits.now !== bot.document;
  return { edits, setEdits, document, isChanged, change };
}

/** Whether it answers, what kind it is, and whether its draft differs from what answers. */
function BotState({ of: bot }: { readonly of: Bot }) {
  const [tone, state] = STATES[bot.status];
  return (
    <span className="bots-state">
      <Badge tone={tone}>{t(state)}</Badge>
      <span>{t(KINDS[bot.kind])}</span>
      {bot.version !== null && <span>{t("bots.version.of", { number: bot.version })}</span>}
      {bot.version !== null && bot.draft && <span>{t("bots.draft.differs")}</span>}
    </span>
  );
}

interface Ending {
  readonly busy: boolean;
  readonly start: () => void;
}

function DraftButtons({
  isChanged,
  discard,
  save,
  publish,
}: {
  readonly isChanged: boolean;
  readonly discard: () => void;
  readonly save: Ending;
  readonly publish: Ending;
}) {
  return (
    <>
      <Button isDisabled={!isChanged} onPress={discard}>
        {t("flow.discard")}
      </Button>
      <Button isDisabled={!isChanged} isPending={save.busy} onPress={() => save.start()}>
        {t("bots.save")}
      </Button>
      <Button className="primary" isPending={publish.busy} onPress={() => publish.start()}>
        {t("bots.publish")}
      </Button>
    </>
  );
}

function BotTabs({
  name,
  of: tabs,
  tab,
  turn,
}: {
  readonly name: string;
  readonly of: ReturnType<typeof tabsOf>;
  readonly tab: string;
  readonly turn: (id: string) => void;
}) {
  return (
    <Tabs selectedKey={tab} onSelectionChange={(key) => turn(String(key))}>
      <TabRow name={name}>
        {tabs.map((one) => (
          <Tab key={one.id} id={one.id}>
            {t(one.name)}
          </Tab>
        ))}
      </TabRow>
      {tabs.map(({ id, panel }) => (
        <TabPanel key={id} id={id}>
          {panel}
        </TabPanel>
      ))}
    </Tabs>
  );
}

const FIRST_TAB = {
  flow: "steps",
  ai: "profile",
  external: "connection",
} as const satisfies Record<Bot["kind"], string>;

type Change = (make: (document: BotDocument) => BotDocument, field?: string) => void;

interface Editing {
  readonly bot: Bot;
  readonly document: BotDocument;
  readonly mayWrite: boolean;
  readonly maySeeResults: boolean;
  readonly change: Change;
  readonly undo: (() => void) | null;
  /** Stores what is written; null: the member cannot write. */
  readonly keep: (() => Promise<Bot>) | null;
  readonly replaced: number;
  readonly restored: () => void;
}

/** The tabs of a bot, by its kind. */
function tabsOf(editing: Editing): readonly {
  readonly id: string;
  readonly name: PlainKey;
  readonly panel: ReactNode;
}[] {
  const { bot, document, mayWrite, change, undo: undoLast, keep, replaced, restored } = editing;
  const results = {
    id: "results",
    name: "bots.tab.results",
    panel: <BotResults of={bot.id} />,
  } as const;
  const shared = { document, mayWrite, change };
  const own = {
    flow: [
      {
        id: "steps",
        name: "flow.tab.steps",
        panel: <FlowEditor {...shared} bot={bot} undo={undoLast} />,
      },
    ],
    ai: [
      {
        id: "profile",
        name: "bots.tab.profile",
        panel: <Profile key={replaced} {...shared} bot={bot} keep={keep} />,
      },
      {
        id: "knowledge",
        name: "shell.knowledge",
        panel: <BotKnowledge />,
      },
      {
        id: "procedures",
        name: "bots.tab.procedures",
        panel: <Procedures {...shared} />,
      },
      {
        id: "bench",
        name: "bots.tab.bench",
        panel: <TestBench id={bot.id} beforeAsking={keep} />,
      },
    ],
    external: [
      {
        id: "connection",
        name: "flow.tab.connection",
        panel: <External {...shared} bot={bot} keep={keep} />,
      },
    ],
  } as const;
  return [
    ...own[bot.kind],
    {
      id: "triggers",
      name: "flow.tab.triggers",
      panel: <Triggers key={replaced} {...shared} />,
    },
    {
      id: "versions",
      name: "bots.tab.versions",
      panel: <Versions bot={bot} mayWrite={mayWrite} restored={restored} />,
    },
    ...(editing.maySeeResults ? [results] : []),
  ];
}
