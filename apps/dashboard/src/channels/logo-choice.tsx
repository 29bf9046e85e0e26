import { useState } from "react";
import { Button, FileTrigger } from "react-aria-components";
import { t } from "../text/t.ts";

/** The side of the stored picture: twice the face in the window's head, for sharp screens. */
const SIDE = 96;
/** As the server takes it, in base64. */
const MOST_CHARACTERS = 65_536;

/**
 * The logo in the head of a chat window: chosen, scaled down in the browser to a small square, and removed. `value` is its
 * address, or the picture itself while it is not saved; empty: none.
 */
export function LogoChoice({
  value,
  change,
}: {
  readonly value: string;
  readonly change: (logo: string) => void;
}) {
  const [refused, setRefused] = useState(false);
  const choose = async (file: File | undefined) => {
    if (!file) return;
    const logo = await smallPicture(file).catch(() => null);
    setRefused(logo === null);
    if (logo !== null) change(logo);
  };
  return (
    <div className="logo-choice">
      <span className="logo-label">{t("channels.web.logo")}</span>
      <div className="channel-buttons">
        {value !== "" && (
          <img src={value} alt={t("channels.web.logo.now")} width={40} height={40} />
        )}
        <FileTrigger
          acceptedFileTypes={["image/png", "image/jpeg", "image/webp", "image/svg+xml"]}
          onSelect={(list) => void choose(list?.[0])}
        >
          <Button>
            {t(value === "" ? "channels.web.logo.choose" : "channels.web.logo.other")}
          </Button>
        </FileTrigger>
        {value !== "" && (
          <Button className="quiet" onPress={() => (setRefused(false), change(""))}>
            {t("channels.web.logo.remove")}
          </Button>
        )}
      </div>
      <p className="hint">{t("channels.web.logo.hint")}</p>
      {refused && (
        <p role="alert" className="fault">
          {t("channels.web.logo.refused")}
        </p>
      )}
    </div>
  );
}

/** The picture as a small square `data:` address. Null: the browser cannot read it, or it stays too large. */
async function smallPicture(file: File): Promise<string | null> {
  const address = URL.createObjectURL(file);
  try {
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = SIDE;
    const { width, height } = picture;
    // A drawing without a size of its own fills the square.
    const scale = width > 0 && height > 0 ? SIDE / Math.max(width, height) : 1;
    const [w, h] = width > 0 && height > 0 ? [width * scale, height * scale] : [SIDE, SIDE];
    canvas.getContext("2d")?.drawImage(picture, (SIDE - w) / 2, (SIDE - h) / 2, w, h);
    const drawn = canvas.toDataURL("image/png");
    return base64Of(drawn).length <= MOST_CHARACTERS ? drawn : null;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** The bytes of a `data:` address in base64; empty for any other address. */
export const base64Of = (address: string): string =>
  /^data:[^,]*;base64,(.*)$/.exec(address)?.[1] ?? "";
