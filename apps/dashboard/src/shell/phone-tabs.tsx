import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";
import { Link, useLocation } from "@tanstack/react-router";
import { Button } from "react-aria-components";
import { Icon, type IconName } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import { onOpenPages } from "./pages-sheet.ts";

const TabSheet = lazy(async () => ({ default: (await import("./tab-sheet.tsx")).TabSheet }));

/** The pages of the tabs. All others are in the sheet. */
const TABS = ["/inbox", "/contacts", "/campaigns", "/settings"] as const;

/** The row of tabs below a page on a phone: the daily pages, and a sheet with all others. */
export function PhoneTabs({ children }: { readonly children: ReactNode }) {
  const { href, pathname } = useLocation();
  // The sheet belongs to the address on which it was opened: another address closes it.
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  const isOpen = openedOn === href;
  useEffect(() => onOpenPages(() => setOpenedOn(href)), [href]);
  return (
    <nav className="tabs" aria-label={t("shell.main")}>
      <Tab
        to="/inbox/mine"
        icon="inbox"
        name={t("shell.inbox")}
        on={pathname.startsWith("/inbox")}
      />
      <Tab to="/contacts" icon="users" name={t("shell.contacts")} />
      <Tab to="/campaigns" icon="megaphone" name={t("shell.campaigns")} />
      <Tab
        to="/settings/profile"
        icon="settings"
        name={t("shell.settings")}
        on={pathname.startsWith("/settings")}
      />
      <Button
        className="tab"
        data-current={!TABS.some((tab) => pathname.startsWith(tab)) || undefined}
        onPress={() => setOpenedOn(href)}
        aria-haspopup="dialog"
      >
        <Icon name="ellipsis" />
        {t("shell.more")}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <TabSheet close={() => setOpenedOn(null)}>{children}</TabSheet>
        </Suspense>
      )}
    </nav>
  );
}

function Tab({
  to,
  icon,
  name,
  on,
}: {
  readonly to: "/inbox/mine" | "/contacts" | "/campaigns" | "/settings/profile";
  readonly icon: IconName;
  readonly name: string;
  /** The page is one of several below this tab. */
  readonly on?: boolean;
}) {
  return (
    <Link
      to={to}
      className="tab"
      {...(on === true ? { "aria-current": "page" } : {})}
      activeProps={{ "aria-current": "page" }}
    >
      <Icon name={icon} />
      {name}
    </Link>
  );
}
