import { lazy, useEffect, useRef, type ReactNode } from "react";
import { Link, useLocation } from "@tanstack/react-router";
import { Button } from "react-aria-components";
import { Badge } from "../kit/badge.tsx";
import { ChannelSign } from "../kit/channel-sign.tsx";
import { hueOf, lettersOf } from "../kit/face.tsx";
import { Icon, type IconName } from "../kit/icon.tsx";
import { useMay } from "../kit/use-may.ts";
import { isApple } from "../kit/keyboard.ts";
import { OnDemand } from "../kit/on-demand.tsx";
import logo from "../kit/parley.svg";
import { channelWord, countWord } from "../kit/words.ts";
import { useBootstrap, useCounts } from "../desk/use-inbox.ts";
import { openView } from "../desk/open-view.ts";
import { isOffered } from "../desk/words.ts";
import { openCommandMenu } from "./open-command-menu.ts";
import { Notices } from "./notices.tsx";
import { PhoneTabs } from "./phone-tabs.tsx";
import { SideGroup } from "./side-group.tsx";
import { SideWithTips } from "./side-tip.tsx";
import { t, type PlainKey } from "../text/t.ts";

const VIEWS: readonly {
  readonly view: string;
  readonly name: PlainKey;
  readonly icon: IconName;
}[] = [
  { view: "mine", name: "shell.mine", icon: "inbox" },
  { view: "unassigned", name: "shell.unassigned", icon: "user-plus" },
  { view: "unanswered", name: "shell.unanswered", icon: "message-circle-question-mark" },
  { view: "window", name: "shell.window", icon: "timer" },
  { view: "mentions", name: "shell.mentions", icon: "at-sign" },
  { view: "all", name: "shell.all", icon: "message-square" },
  { view: "snoozed", name: "shell.snoozed", icon: "alarm-clock" },
  { view: "resolved", name: "shell.resolved", icon: "circle-check" },
  { view: "bot", name: "shell.view.bot", icon: "bot" },
  { view: "handed", name: "shell.view.handed", icon: "hand" },
];

/** The links to every view and page: at the side, on a phone below the page. */
export function Navigation() {
  return (
    <>
      <SideWithTips>
        <Side />
      </SideWithTips>
      <PhoneTabs>
        <Side />
      </PhoneTabs>
    </>
  );
}

/** The workspace's views and pages, with how many conversations a view contains. */
function Side() {
  const mayCount = useMay("readUsage");
  const { workspace, views, channels, labels, bots } = useBootstrap();
  const { pathname } = useLocation();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    nav.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest" });
  }, [pathname]);
  return (
    <>
      <div className="side-brand">
        <img src={logo} alt="" width={28} height={28} />
        <span className="side-workspace" dir="auto" title={workspace.name}>
          {workspace.name}
        </span>
        {workspace.kind === "test" && <Badge tone="warn">{t("shell.test")}</Badge>}
        <Notices />
      </div>
      <Button className="side-search" onPress={openCommandMenu}>
        <Icon name="search" />
        <span className="side-text">{t("search.open")}</span>
        <kbd className="side-key" aria-hidden="true">
          {isApple ? "⌘K" : "Ctrl K"}
        </kbd>
      </Button>
      <nav ref={nav} aria-label={t("shell.main")} className="side-nav scrolls-links">
        <ul className="side-views">
          {VIEWS.filter(({ view }) => isOffered(view, bots)).map(({ view, name, icon }) => (
            <ViewLink key={view} icon={<Icon name={icon} />} view={view} name={t(name)} />
          ))}
        </ul>
        <div className="side-groups">
          <SideGroup
            group="views"
            title={t("shell.views")}
            action={
              <Button
                className="side-add"
                aria-label={t("saved.view.new")}
                onPress={() => openView({ kind: "form" })}
              >
                <Icon name="plus" />
              </Button>
            }
          >
            {views.map(({ id, name }) => (
              <ViewLink key={id} icon={<Icon name="layers" />} view={`view-${id}`} name={name} />
            ))}
          </SideGroup>
          <SideGroup group="channels" title={t("shell.channels")}>
            {channels.map(({ id, name, type }) => (
              <ViewLink
                key={id}
                icon={<ChannelSign type={type} />}
                view={`channel-${id}`}
                name={name === "" ? channelWord(type) : name}
              />
            ))}
          </SideGroup>
          <SideGroup group="labels" title={t("shell.labels")}>
            {labels.map(({ name, color }) => (
              <ViewLink
                key={name}
                icon={<span className="side-dot" style={{ background: color }} />}
                view={`label-${name}`}
                name={name}
              />
            ))}
          </SideGroup>
        </div>
        <ul className="side-pages">
          <PageLink icon="users" to="/contacts" name={t("shell.contacts")} />
          <PageLink icon="users-round" to="/segments" name={t("shell.segments")} />
          <PageLink icon="megaphone" to="/campaigns" name={t("shell.campaigns")} />
          <PageLink icon="bot" to="/bots" name={t("shell.bots")} />
          <PageLink icon="scroll-text" to="/knowledge" name={t("shell.knowledge")} />
          <PageLink icon="layout-template" to="/templates" name={t("shell.templates")} />
          {mayCount && <PageLink icon="chart-column" to="/usage" name={t("shell.usage")} />}
          <PageLink icon="settings" to="/settings/profile" name={t("shell.settings")} />
          <PageLink icon="smartphone" to="/sandbox" name={t("sandbox.title")} />
        </ul>
      </nav>
      <Account />
    </>
  );
}

function ViewLink({
  view,
  name,
  icon,
}: {
  readonly view: string;
  readonly name: string;
  readonly icon: ReactNode;
}) {
  const count = useCounts()[view];
  return (
    <li>
      <Link
        to="/inbox/$view/{-$talk}"
        params={{ view }}
        className="side-link"
        aria-label={
          count === undefined ? name : t("shell.counted", { name, count: countWord(count) })
        }
        activeOptions={{ exact: false, includeSearch: false }}
        activeProps={{ "aria-current": "page" }}
      >
        {icon}
        {/* The space parts name and count for whoever compares what is seen with the link's name. */}
        <span className="side-text" dir="auto">
          {name}
        </span>{" "}
        {count !== undefined && count > 0 && (
          <bdi dir="ltr" className="side-count">
            {countWord(count)}
          </bdi>
        )}
      </Link>
    </li>
  );
}

function PageLink({
  to,
  name,
  icon,
}: {
  readonly to:
    | "/contacts"
    | "/segments"
    | "/campaigns"
    | "/bots"
    | "/knowledge"
    | "/templates"
    | "/usage"
    | "/sandbox"
    | "/settings/profile";
  readonly name: string;
  readonly icon: IconName;
}) {
  return (
    <li>
      <Link
        to={to}
        className="side-link"
        aria-label={name}
        activeProps={{ "aria-current": "page" }}
      >
        <Icon name={icon} />
        <span className="side-text">{name}</span>
      </Link>
    </li>
  );
}

const AccountMenu = lazy(async () => ({
  default: (await import("./account-menu.tsx")).AccountMenu,
}));

function Account() {
  const { member } = useBootstrap();
  return (
    <OnDemand
      has="menu"
      button={(trigger) => (
        <Button {...trigger} className="side-account">
          <span className="visually-hidden">{t("shell.account")}</span>
          <span
            className="face side-face"
            aria-hidden="true"
            data-hue={hueOf(member.id)}
            data-availability={member.availability}
          >
            {lettersOf(member.name)}
          </span>
          <span className="side-text name-line" aria-hidden="true">
            <bdi>{member.name}</bdi>
            <small>{t(member.availability === "away" ? "shell.away" : "shell.online")}</small>
          </span>
        </Button>
      )}
    >
      {(floating) => <AccountMenu {...floating} />}
    </OnDemand>
  );
}
