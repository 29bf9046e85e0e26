import { useEffect, useState, type ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import {
  Autocomplete,
  Dialog,
  Header,
  Heading,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from "react-aria-components";
import { call } from "../api/call.ts";
import { useOpens } from "../kit/use-opens.ts";
import { targetsNow } from "../desk/targets.ts";
import { command, type Command } from "../desk/commands.ts";
import { DESK_VIEWS } from "../../../server/src/wire/words.ts";
import { channelWord } from "../kit/words.ts";
import { isOffered, viewName } from "../desk/words.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { EscLeaves } from "../kit/esc-leaves.tsx";
import { Icon, type IconName } from "../kit/icon.tsx";
import { PersonName } from "../kit/phone.tsx";
import { t, type PlainKey } from "../text/t.ts";
import "./search.css";

/** The dialog that leads to people, conversations, views, pages and actions. */
export function CommandMenu({ close }: { readonly close: () => void }) {
  return (
    <ModalOverlay
      className="menu-ground"
      isDismissable
      isOpen
      onOpenChange={(open) => !open && close()}
    >
      <Modal className="menu-modal">
        <Dialog className="command-menu">
          <Heading slot="title" className="visually-hidden">
            {t("search.menu")}
          </Heading>
          <EscLeaves close={close}>
            <Choices close={close} />
          </EscLeaves>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

const ACTIONS = [
  ["reply", "inbox.keys.reply", "r", "reply"],
  ["note", "inbox.keys.note", "n", "pencil"],
  ["template", "inbox.keys.template", "t", "layout-template"],
  ["assign", "inbox.keys.assign", "a", "user-plus"],
  ["assign-me", "inbox.keys.assignMe", "i", "circle-user-round"],
  ["labels", "inbox.keys.labels", "l", "tag"],
  ["snooze", "inbox.keys.snooze", "s", "alarm-clock"],
  ["resolve", "inbox.keys.resolve", "e", "circle-check"],
  ["unread", "inbox.keys.unread", "Shift U", "bell"],
] as const satisfies readonly (readonly [Command, PlainKey, string, IconName])[];

const PAGES = [
  ["/contacts", "shell.contacts", "users"],
  ["/contacts/import", "imports.title", "upload"],
  ["/segments", "shell.segments", "users-round"],
  ["/knowledge", "shell.knowledge", "scroll-text"],
  ["/bots", "shell.bots", "sparkles"],
  ["/campaigns", "shell.campaigns", "megaphone"],
  ["/campaigns/new", "campaigns.new", "plus"],
  ["/templates", "shell.templates", "layout-template"],
  ["/usage", "shell.usage", "chart-column"],
  ["/settings/profile", "shell.settings", "settings"],
  ["/settings/channels", "shell.settings.channels", "radio"],
  ["/settings/team", "shell.settings.team", "users"],
  ["/sandbox", "sandbox.title", "smartphone"],
] as const satisfies readonly (readonly [string, PlainKey, IconName])[];

const VIEW_ICONS: Readonly<Record<string, IconName>> = {
  mine: "inbox",
  unassigned: "user-plus",
  unanswered: "message-circle-question-mark",
  window: "timer",
  mentions: "at-sign",
  snoozed: "alarm-clock",
  resolved: "circle-check",
  bot: "bot",
  handed: "hand",
  view: "layers",
  channel: "radio",
  label: "tag",
};

/** The sign that the navigation has for the view, or for its kind. */
const viewIcon = (view: string): IconName =>
  VIEW_ICONS[view.split("-", 1)[0] ?? ""] ?? "message-square";

function Choices({ close }: { close: () => void }) {
  const [text, setText] = useState("");
  const [targets] = useState(targetsNow);
  const bootstrap = useBootstrap();
  const opens = useOpens();
  const navigate = useNavigate();
  const { contains } = useFilter({ sensitivity: "base" });
  const words = text.trim();
  const found = useFound(words);
  const has = (name: string) => contains(name, words);
  const run = (key: string) => {
    close();
    const [kind, ...rest] = key.split(":");
    const value = rest.join(":");
    const action = ACTIONS.find(([name]) => name === value);
    // After the menu is closed, so that a dialog of the action can take the focus.
    if (kind === "do" && action) setTimeout(() => command(action[0]));
    else if (kind === "search") void navigate({ to: "/search", search: { q: words } });
    else if (kind === "go") void navigate({ href: value });
  };
  const views = [
    ...DESK_VIEWS.filter((view) => isOffered(view, bootstrap.bots)),
    ...bootstrap.views.map(({ id }) => `view-${id}`),
    ...bootstrap.channels.map(({ id }) => `channel-${id}`),
    ...bootstrap.labels.map(({ name }) => `label-${name}`),
  ].map((view) => ({ view, name: viewName(view, bootstrap) ?? view }));
  return (
    <Autocomplete inputValue={text} onInputChange={setText}>
      <SearchField autoFocus aria-label={t("search.command")} className="command-field">
        <Input role="combobox" aria-expanded placeholder={t("search.hint")} maxLength={200} />
      </SearchField>
      <ListBox
        aria-label={t("search.results")}
        className="command-list"
        onAction={(key) => run(String(key))}
        renderEmptyState={() => <p className="command-none">{t("search.none")}</p>}
      >
        {section(
          t("search.people"),
          found.people.map(({ id, name, phone, email }) => ({
            id: `go:/contacts/${id}`,
            name: name ?? (phone === null ? (email ?? `#${id.slice(-6)}`) : `+${phone}`),
            more: phone === null ? (email ?? "") : `+${phone}`,
            icon: "users",
          })),
        )}
        {section(
          t("search.conversations"),
          found.conversations.map(({ id, name, channelType }) => ({
            id: `go:/inbox/all/${id}`,
            name,
            more: channelWord(channelType),
            icon: "message-square",
          })),
        )}
        {section(
          t("search.actions"),
          ACTIONS.filter(([, name]) => targets.length > 0 && has(t(name))).map(
            ([id, name, key, icon]) => ({ id: `do:${id}`, name: t(name), more: key, icon }),
          ),
        )}
        {section(
          t("search.views"),
          views
            .filter(({ name }) => has(name))
            .map(({ view, name }) => ({
              id: `go:/inbox/${encodeURIComponent(view)}`,
              name,
              more: "",
              icon: viewIcon(view),
            })),
        )}
        {section(
          t("search.pages"),
          PAGES.filter(([href, name]) => has(t(name)) && opens(href)).map(([href, name, icon]) => ({
            id: `go:${href}`,
            name: t(name),
            more: "",
            icon,
          })),
        )}
        {/* Last: Enter takes the first match, and the words are often the name of one. */}
        {words !== "" && (
          <ListBoxItem id="search" textValue={t("search.inMessages", { text: words })}>
            <Icon name="search" />
            <span>{t("search.inMessages", { text: words })}</span>
          </ListBoxItem>
        )}
      </ListBox>
    </Autocomplete>
  );
}

interface Choice {
  readonly id: string;
  readonly name: string;
  /** A number, channel or key beside the name. */
  readonly more: string;
  readonly icon: IconName;
}

function section(title: string, choices: readonly Choice[]): ReactNode {
  if (choices.length === 0) return null;
  return (
    <ListBoxSection id={title}>
      <Header>{title}</Header>
      {choices.map(({ id, name, more, icon }) => (
        <ListBoxItem key={id} id={id} textValue={name}>
          <Icon name={icon} />
          <PersonName of={name} />
          {more !== "" && (
            <bdi dir="auto" className="command-more">
              {more}
            </bdi>
          )}
        </ListBoxItem>
      ))}
    </ListBoxSection>
  );
}

/** People and conversations for these words, read once the typing rests. */
function useFound(words: string) {
  const [rested, setRested] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setRested(words), 150);
    return () => clearTimeout(timer);
  }, [words]);
  const of = (region: "people" | "conversations") => ({
    queryKey: ["search", "menu", region, rested],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call("search", { query: { q: rested, in: region, limit: 5 }, signal }),
    enabled: rested !== "",
    placeholderData: <T,>(before: T) => before,
  });
  const people = useQuery(of("people")).data;
  const conversations = useQuery(of("conversations")).data;
  return {
    people: words === "" ? [] : (people?.people.items ?? []),
    conversations: words === "" ? [] : (conversations?.conversations.items ?? []),
  };
}
