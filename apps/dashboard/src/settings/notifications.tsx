import { useState } from "react";
import { Button } from "react-aria-components";
import { saveSettings, type SettingsChanges } from "../api/save-settings.ts";
import { announces, playTone, setAnnounces } from "../desk/bell.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { Failure } from "../kit/failure.tsx";
import { Choice, Toggle } from "../kit/fields.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { SettingsPage, SettingsPart } from "./settings-page.tsx";
import "./security.css";

type Sound = NonNullable<SettingsChanges["sound"]>;

/** `/settings/notifications`: how a member is notified. */
export function Notifications() {
  const { settings } = useBootstrap();
  const [saved, setSaved] = useState(false);
  const save = useCall(async (sound: Sound) => {
    await saveSettings({ sound });
    setSaved(true);
  });
  return (
    <SettingsPage title={t("shell.settings.notifications")}>
      <SettingsPart title={t("notify.sound")}>
        <Failure of={save.failed} />
        <p>{t("notify.sound.text")}</p>
        <div className="settings-fields">
          <Choice
            label={t("notify.sound.when")}
            options={[
              { value: "mine", name: t("notify.sound.mine") },
              { value: "mine-and-unassigned", name: t("notify.sound.mineAndUnassigned") },
              { value: "all", name: t("notify.sound.all") },
              { value: "off", name: t("notify.sound.off") },
            ]}
            value={settings.sound}
            change={(sound) => save.start(sound)}
          />
        </div>
        <div className="codes-actions">
          <Button onPress={() => playTone(new AudioContext())}>{t("notify.play")}</Button>
          <span role="status">{saved && !save.failed ? t("people.saved") : ""}</span>
        </div>
      </SettingsPart>
      <Browser />
    </SettingsPage>
  );
}

/** Notifications of this browser; each browser has its own choice. */
function Browser() {
  const [on, setOn] = useState(announces());
  const offered = "Notification" in window;
  const blocked = offered && Notification.permission === "denied";
  return (
    <SettingsPart title={t("notify.browser")}>
      <p>{t("notify.browser.text")}</p>
      <Toggle
        label={t("notify.browser.on")}
        on={on}
        disabled={!offered || blocked}
        change={(wish) => void setAnnounces(wish).then(setOn)}
      />
      {!offered && <p className="hint">{t("notify.browser.none")}</p>}
      {blocked && <p className="hint">{t("notify.browser.blocked")}</p>}
    </SettingsPart>
  );
}
