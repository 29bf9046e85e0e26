import { InvalidArgumentError } from "commander";
import type { OpenContext } from "../open-context.ts";
import type { NewBroadcast } from "../broadcasts/record/create-broadcast.ts";
import type { NewVariant } from "../broadcasts/audience/split-input.ts";
import { uploadFile } from "./message.ts";
import { jsonOption } from "./read-input.ts";

/** A text of an A/B campaign as the command line takes it. The header's file is named by its path. */
export type AskedVariant = Omit<NewVariant, "header"> & {
  readonly header?: { readonly text?: string; readonly file?: string };
};

/** Uploads the files that variants name by their paths, each file once, and puts the uploads in their place. */
export async function withHeaderFiles(
  app: OpenContext,
  workspaceId: string,
  asked: readonly AskedVariant[],
): Promise<NewVariant[]> {
  const ids = new Map<string, string>();
  const variants: NewVariant[] = [];
  for (const { header, ...rest } of asked) {
    if (header === undefined) {
      variants.push(rest);
      continue;
    }
    const { file, ...texts } = header;
    if (file !== undefined && !ids.has(file))
      ids.set(file, await uploadFile(app, workspaceId, file));
    const mediaId = file === undefined ? undefined : ids.get(file);
    const given: NonNullable<NewBroadcast["header"]> = {
      ...texts,
      ...(mediaId !== undefined && { mediaId }),
    };
    variants.push({ ...rest, header: given });
  }
  return variants;
}

/** Reads `--variants JSON` of `broadcast create`. The campaign checks what each variant must have. */
export function variantsOption(text: string): AskedVariant[] {
  const value = jsonOption(text);
  if (!Array.isArray(value) || !value.every(isVariant))
    throw new InvalidArgumentError(
      'It takes [{"name":"A","share":0.5,"body":"…"}, …], or templateId and variables for body.',
    );
  return value;
}

const isTexts = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((one) => typeof one === "string"));

function isVariant(value: unknown): value is AskedVariant {
  if (typeof value !== "object" || value === null) return false;
  const one = value as Record<string, unknown>;
  const text = (part: unknown) => part === undefined || part === null || typeof part === "string";
  const known = ["name", "share", "body", "templateId", "variables", "header", "buttons"];
  return (
    typeof one["name"] === "string" &&
    typeof one["share"] === "number" &&
    text(one["body"]) &&
    text(one["templateId"]) &&
    [one["variables"], one["header"], one["buttons"]].every(isTexts) &&
    Object.keys(one["header"] ?? {}).every((key) => key === "text" || key === "file") &&
    Object.keys(one).every((key) => known.includes(key))
  );
}

/** Reads a share: a number from 0 to under 1. */
export function shareOption(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value < 1))
    throw new InvalidArgumentError("It takes a number from 0 to under 1.");
  return value;
}
