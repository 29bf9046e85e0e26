import { Menu, MenuItem, Popover, Separator, Text } from "react-aria-components";
import { call } from "../api/call.ts";
import { bootstrapQuery, queryClient } from "../api/query-client.ts";
import { saveSettings } from "../api/save-settings.ts";
import { endInbox } from "../desk/inbox.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import type { Floating } from "../kit/on-demand.tsx";
import { changeLocale, locale, type Locale } from "../text/locale.ts";
import { t } from "../text/t.ts";
import { changeTheme, chosenTheme, type Theme } from "../kit/theme.ts";

async function switchAvailability(now: "online" | "away"): Promise<void> {
  await call("setAvailability", { body: { availability: now === "away" ? "online" : "away" } });
  await queryClient.invalidateQueries(bootstrapQuery);
}

async function speak(language: Locale): Promise<void> {
  await saveSettings({ locale: language });
  changeLocale(language);
}

async function show(theme: Theme | null): Promise<void> {
  changeTheme(theme);
  await saveSettings({ theme });
}

/** Ends the session, forgets what this browser stored of it, and leads to the sign-in. */
async function leave(): Promise<void> {
  await call("signOut");
  await endInbox();
  location.assign("/sign-in");
}

/** The menu of the member's own name. */
export function AccountMenu(floating: Floating) {
  const { member } = useBootstrap();
  const other = locale === "ar" ? "en" : "ar";
  const dark = document.documentElement.dataset["theme"] === "dark";
  return (
    <Popover {...floating} trigger="MenuTrigger" placement="top start">
      <Menu autoFocus aria-label={t("shell.account")} onClose={() => floating.onOpenChange(false)}>
        <MenuItem onAction={() => void switchAvailability(member.availability)}>
          {t(member.availability === "away" ? "profile.setOnline" : "profile.setAway")}
        </MenuItem>
        <MenuItem href="/settings/profile">{t("shell.profile")}</MenuItem>
        <MenuItem onAction={() => void speak(other)}>
          <Text slot="label">{t("shell.language")}</Text>
          <Text slot="description">
            <bdi lang={other}>{other === "ar" ? "العربية" : "English"}</bdi>
          </Text>
        </MenuItem>
        <MenuItem onAction={() => void show(dark ? "light" : "dark")}>
          <Text slot="label">{t("shell.theme")}</Text>
          <Text slot="description">{t(dark ? "shell.theme.light" : "shell.theme.dark")}</Text>
        </MenuItem>
        {chosenTheme() !== null && (
          <MenuItem onAction={() => void show(null)}>{t("shell.theme.system")}</MenuItem>
        )}
        <Separator />
        <MenuItem onAction={() => void leave()}>{t("shell.signOut")}</MenuItem>
      </Menu>
    </Popover>
  );
}
