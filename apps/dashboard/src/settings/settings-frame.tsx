import { useRef, useState } from "react";
import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { Button } from "react-aria-components";
import { Icon, type IconName } from "../kit/icon.tsx";
import { useMore } from "../kit/use-more.ts";
import { useOpens } from "../kit/use-opens.ts";
import { t, type PlainKey } from "../text/t.ts";
import "./settings.css";

interface PageEntry {
  readonly path: string;
  readonly name: PlainKey;
  readonly icon: IconName;
  /** Begins another group of pages. */
  readonly first?: true;
}

/** The pages of the settings, in the order of their navigation. Each area adds its own. */
const PAGES: readonly PageEntry[] = [
  {
    path: "/settings/profile",
    name: "shell.settings.profile",
    icon: "circle-user-round",
  },
  {
    path: "/settings/security",
    name: "shell.settings.security",
    icon: "shield-check",
  },
  {
    path: "/settings/notifications",
    name: "shell.settings.notifications",
    icon: "bell",
  },
  {
    path: "/settings/workspace",
    name: "shell.settings.workspace",
    icon: "building",
    first: true,
  },
  { path: "/settings/team", name: "shell.settings.team", icon: "users" },
  { path: "/settings/business-hours", name: "shell.settings.hours", icon: "alarm-clock" },
  {
    path: "/settings/channels",
    name: "shell.settings.channels",
    icon: "radio",
    first: true,
  },
  { path: "/settings/sms", name: "shell.settings.sms", icon: "smartphone" },
  { path: "/settings/ai", name: "shell.settings.ai", icon: "sparkles" },
  {
    path: "/settings/labels",
    name: "shell.settings.labels",
    icon: "tag",
    first: true,
  },
  { path: "/settings/attributes", name: "shell.settings.attributes", icon: "layers" },
  {
    path: "/settings/saved-replies",
    name: "shell.settings.savedReplies",
    icon: "message-square-quote",
  },
  { path: "/settings/opt-out-words", name: "shell.settings.stopWords", icon: "ban" },
  {
    path: "/settings/api-keys",
    name: "shell.settings.keys",
    icon: "key-round",
    first: true,
  },
  { path: "/settings/webhooks", name: "shell.settings.webhooks", icon: "webhook" },
  {
    path: "/settings/limits",
    name: "shell.settings.limits",
    icon: "gauge",
    first: true,
  },
  { path: "/settings/data-retention", name: "shell.settings.retention", icon: "timer" },
  { path: "/settings/audit-log", name: "shell.settings.audit", icon: "scroll-text" },
];

/** On a phone the pages are in one row, which can be unfolded: the current one is scrolled into view. */
function showCurrent(link: HTMLAnchorElement | null): void {
  if (link?.ariaCurrent === "page") link.scrollIntoView({ inline: "center", block: "nearest" });
}

/** The navigation beside every page of the settings: links to those that the member's role may open. */
export function SettingsFrame() {
  const opens = useOpens();
  const row = useRef<HTMLDivElement>(null);
  useMore(row);
  const { pathname } = useLocation();
  // The page at which all of them were unfolded: the next page begins with one row.
  const [unfoldedAt, unfold] = useState<string>();
  const isUnfolded = unfoldedAt === pathname;
  return (
    <div className="settings">
      <nav
        aria-label={t("people.settings")}
        className="settings-nav scrolls-links"
        data-unfolded={isUnfolded || undefined}
      >
        <div ref={row}>
          {PAGES.filter(({ path }) => opens(path)).map(({ path, name, icon, first }) => (
            <Link key={path} to={path} ref={showCurrent} data-first={first}>
              <Icon name={icon} />
              {t(name)}
            </Link>
          ))}
        </div>
        <Button
          className="settings-all"
          aria-label={t("account.allPages")}
          aria-expanded={isUnfolded}
          onPress={() => unfold(isUnfolded ? undefined : pathname)}
        >
          <Icon name="chevron-down" />
        </Button>
      </nav>
      <Outlet />
    </div>
  );
}
