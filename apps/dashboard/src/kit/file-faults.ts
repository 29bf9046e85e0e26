import { FILE_FAULTS, kindOf, type MediaRules } from "../../../server/src/media/media-fit.ts";
import { ENDINGS, plainType, UNKNOWN_TYPE } from "../../../server/src/media/type-names.ts";
import { ApiError, type FaultDetail } from "../api/api-error.ts";
import { listOf, sizeOf } from "./format.ts";
import { failureText } from "./use-call.ts";
import { t } from "../text/t.ts";
import { channelWord } from "./words.ts";
import { faultOf, type FileFacts, type FilePlace } from "./file-rules.ts";

/** Why a file cannot go, in the reader's language; null: nothing speaks against it (`faultOf`). */
export function whyRefused(file: FileFacts, place: FilePlace | undefined): string | null {
  const fault = faultOf(file, place);
  if (fault === null) return null;
  const { code, ...params } = fault;
  return fileFaultWords({ code, params }, file.name, place);
}

/** Why an upload failed, in the reader's language. */
export function whyNotUploaded(error: unknown, name: string): string {
  if (!(error instanceof ApiError)) return t("composer.file.failed");
  const [detail] = error.details;
  if (detail !== undefined) return fileFaultWords(detail, name);
  return error.code === "BODY_TOO_LARGE" ? t("composer.file.tooLarge") : failureText(error);
}

/**
 * What the server or the rules say of a file, in the reader's language. A reason without words of ours is shown as the
 * server words it. With the rules it names what the channel takes instead.
 */
export function fileFaultWords(
  { code, params = {}, message = "" }: Partial<FaultDetail>,
  name: string,
  place?: Partial<FilePlace>,
): string {
  const known = FILE_FAULTS.find((one) => one === code);
  const channel =
    place?.channelType === undefined ? t("composer.file.channel") : channelWord(place.channelType);
  const most = Number(params["most"] ?? 0);
  switch (known) {
    case "file.none":
      return t("composer.file.none", { channel });
    case "file.missing":
    case "file.used":
    case "file.kept":
      return t("composer.file.again");
    case "file.empty":
      return t("composer.file.empty");
    case "file.type":
      return typeWords(String(params["type"] ?? ""), name, channel, place?.rules);
    case "file.size":
      return t("composer.file.size", {
        channel,
        size: sizeOf(Number(params["size"] ?? 0)),
        most: sizeOf(most),
      });
    case "file.count":
      return t("composer.file.count", { most });
    case undefined:
      return message;
  }
}

function typeWords(
  type: string,
  name: string,
  channel: string,
  rules: MediaRules | undefined,
): string {
  const ending = /\.([\p{L}\p{N}]{1,10})$/u.exec(name)?.[1]?.toLowerCase();
  const harmless = Object.values(ENDINGS).some((list) => ending && list.includes(ending));
  // An ending of a known type on bytes that are something else: the ending is not what is refused.
  const text =
    ending === undefined || (harmless && type === UNKNOWN_TYPE)
      ? t("composer.file.unknown", { channel })
      : t("composer.file.type", { channel, ending: ending.toUpperCase() });
  const takes = rules && takesOf(type, rules);
  return takes ? `${text} ${takes}` : text;
}

/** The kinds of files, by their endings, that the channel takes of the kind of the file, or of all kinds when it takes none of that. */
function takesOf(type: string, rules: MediaRules): string | null {
  const kind = kindOf(type);
  const own = rules[kind];
  const types = own ? own.mimeTypes : Object.values(rules).flatMap(({ mimeTypes }) => mimeTypes);
  const endings = types.flatMap((one) => ENDINGS[plainType(one) ?? ""]?.[0] ?? []);
  if (endings.length === 0) return null;
  const list = listOf([...new Set(endings)].map((one) => one.toUpperCase()));
  return t(`composer.file.takes.${own ? kind : "any"}`, { endings: list });
}
