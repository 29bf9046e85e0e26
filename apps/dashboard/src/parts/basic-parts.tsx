import { Button, Menu, MenuItem, MenuTrigger, Popover, Separator } from "react-aria-components";
import { ChannelGlyph } from "../kit/channel-glyph.tsx";
import { CHANNEL_SHAPES, ChannelSign } from "../kit/channel-sign.tsx";
import { Face } from "../kit/face.tsx";
import { Icon, type IconName } from "../kit/icon.tsx";
import { ICONS } from "../kit/icons.ts";
import { OnDemand } from "../kit/on-demand.tsx";
import { Part } from "../kit/page.tsx";
import { channelWord } from "../kit/words.ts";
import { say } from "./say.ts";

const KINDS = ["", "primary", "danger", "quiet", "quiet destroys"] as const;

export function ButtonParts() {
  const words = [
    say("Cancel", "إلغاء"),
    say("Save changes", "حفظ التغييرات"),
    say("Delete", "حذف"),
    say("Show all", "عرض الكل"),
    say("Erase", "محو"),
  ];
  return (
    <Part title={say("Buttons and menus", "الأزرار والقوائم")}>
      {[
        { name: "rest", props: {} },
        { name: "disabled", props: { isDisabled: true } },
        { name: "pending", props: { isPending: true } },
      ].map(({ name, props }) => (
        <div key={name} className="parts-row">
          {KINDS.map((kind, index) => (
            <Button key={kind} {...(kind !== "" && { className: kind })} {...props}>
              {words[index]}
            </Button>
          ))}
          <Button {...props}>
            <Icon name="download" />
            {say("With an icon", "مع أيقونة")}
          </Button>
          <a className="button" href="#main">
            {say("A link", "رابط")}
          </a>
        </div>
      ))}
      <div className="parts-row">
        <MenuTrigger>
          <Button>{say("Menu", "قائمة")}</Button>
          <Popover>
            <Menu selectionMode="single" defaultSelectedKeys={["a"]}>
              <MenuItem id="a">{say("Chosen", "مختار")}</MenuItem>
              <MenuItem id="b">{say("Another one", "خيار آخر")}</MenuItem>
              <Separator />
              <MenuItem id="c" isDisabled>
                {say("Disabled", "معطل")}
              </MenuItem>
            </Menu>
          </Popover>
        </MenuTrigger>
        <OnDemand
          has="menu"
          button={(trigger) => (
            <Button {...trigger}>{say("Loaded when opened", "يُحمَّل عند فتحه")}</Button>
          )}
        >
          {(floating) => (
            <Popover {...floating}>
              <Menu aria-label={say("Loaded", "محمّلة")}>
                <MenuItem>{say("One", "واحد")}</MenuItem>
              </Menu>
            </Popover>
          )}
        </OnDemand>
      </div>
    </Part>
  );
}

const isIcon = (name: string): name is IconName => Object.hasOwn(ICONS, name);
const isChannel = (name: string): name is keyof typeof CHANNEL_SHAPES =>
  Object.hasOwn(CHANNEL_SHAPES, name);
const NAMES = ["Sara Al-Mutairi", "Jonas Weber", "ليلى الأحمد", "O'Neil", "+96550012345", ""];

export function IconParts() {
  return (
    <Part title={say("Signs and faces", "الرموز والوجوه")}>
      <div className="parts-row">
        {NAMES.map((name, index) => (
          <Face key={name} id={String(index)} name={name} />
        ))}
      </div>
      <div className="parts-row">
        {Object.keys(CHANNEL_SHAPES)
          .filter(isChannel)
          .map((type) => (
            <span key={type} className="parts-icon">
              <ChannelGlyph type={type} />
              <ChannelSign type={type} />
              {channelWord(type)}
            </span>
          ))}
        <span className="parts-icon">
          <ChannelGlyph type="SMS" />
          SMS
        </span>
      </div>
      <div className="parts-row">
        {Object.keys(ICONS)
          .filter(isIcon)
          .map((name) => (
            <span key={name} className="parts-icon">
              <Icon name={name} />
              <bdi dir="ltr">{name}</bdi>
            </span>
          ))}
      </div>
    </Part>
  );
}

const COLORS = [
  "bg",
  "surface",
  "sunken",
  "hover",
  "selected",
  "line",
  "control-line",
  "ink",
  "ink-2",
  "ink-3",
  "accent",
  "on-accent",
  "accent-soft",
  "accent-soft-ink",
  "ok",
  "warn",
  "info",
  "bad",
  "bad-soft",
  "note",
  "note-ink",
  "bubble-in",
  "bubble-out",
] as const;

export function ColorParts() {
  return (
    <Part title={say("Colors", "الألوان")}>
      <div className="parts-row">
        {COLORS.map((name) => (
          <bdi
            key={name}
            dir="ltr"
            className="parts-color"
            ref={(element) => element?.style.setProperty("--parts-color", `var(--${name})`)}
          >
            {name}
          </bdi>
        ))}
      </div>
    </Part>
  );
}
