import { useQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { bootstrapQuery } from "../api/query-client.ts";
import { t, type PlainKey } from "../text/t.ts";
import "./settings.css";

interface PageEntry {
  readonly path: string;
  readonly name: PlainKey;
  /** Roles that may open it. */
  readonly who: readonly ("owner" | "admin" | "agent")[];
}

/** The pages of the settings, in the order of their navigation. Each area adds its own. */
const PAGES: readonly PageEntry[] = [
  { path: "/settings/profile", name: "people.profile", who: ["owner", "admin", "agent"] },
  { path: "/settings/security", name: "people.security", who: ["owner", "admin", "agent"] },
  { path: "/settings/team", name: "people.team", who: ["owner", "admin"] },
];

/** What stands beside every page of the settings: the way to those that the member's role opens. */
export function SettingsFrame() {
  const { data } = useQuery(bootstrapQuery);
  const role = data?.member.role;
  return (
    <div className="settings">
      <nav aria-label={t("people.settings")} className="settings-nav">
        {PAGES.filter(({ who }) => role !== undefined && who.includes(role)).map(
          ({ path, name }) => (
            <Link key={path} to={path}>
              {t(name)}
            </Link>
          ),
        )}
      </nav>
      <Outlet />
    </div>
  );
}
