import { OPERATOR } from "../actor.ts";
import type { Command } from "commander";
import { connectWeb, updateWeb, type WebLook } from "../channels/web-channel.ts";
import { invalid } from "../errors.ts";
import type { Run } from "./command-line.ts";
import { workspaceOf } from "./workspace-of.ts";

interface Options extends WebLook {
  readonly allowedOrigin?: readonly string[];
  readonly json?: boolean;
}

const several = (value: string, before: readonly string[] = []): string[] => [...before, value];

const withLook = (command: Command): Command =>
  command
    .option("--allowed-origin <origin>", "a page's scheme, host and port; may be repeated", several)
    .option("--title <text>", "the name in the head of the window, which visitors see")
    .option("--ask <fields>", "what the window asks its visitor: name, email or 'name email'")
    .option("--ask-when <when>", "before the first message, or after it")
    .option("--greeting <text>", "what the window says before anybody has written")
    .option("--color <#rrggbb>", "the colour of the button and of the window's head")
    .option("--position <side>", "left or right; default: right, in Arabic left")
    .option("--locale <language>", "en, ar or auto")
    .option("--max-file-bytes <n>", "the largest file that visitors may send")
    .option("--json", "print one JSON document");

/** `parley channel connect web` and `parley channel update web` (docs/web-chat.md). */
export function registerWebChannel(connect: Command, group: Command, run: Run): void {
  withLook(
    connect
      .command("web")
      .description("a chat window for a site; prints the tag to paste and the identity secret")
      .requiredOption("--workspace <id>")
      .requiredOption("--name <name>"),
  ).action((options: Options & { workspace: string; name: string }) => {
    const { workspace, json, allowedOrigin: origins = [], ...look } = options;
    return run({ json }, async (app) => connectWeb(OPERATOR, app, workspace, { ...look, origins }));
  });
  const update = group.command("update").description("change a channel without connecting it anew");
  withLook(
    update
      .command("web <id>")
      .description("change the allowed pages, the look or the secrets of a chat window")
      .option("--name <name>"),
  )
    .option("--any-origin", "any page may show it")
    .option("--rotate-identity-secret", "print a new one; the old one ends at once")
    .option("--rotate-visitor-tokens", "make every browser a new visitor")
    .action(
      (
        id: string,
        options: Options & {
          anyOrigin?: boolean;
          rotateIdentitySecret?: boolean;
          rotateVisitorTokens?: boolean;
        },
      ) => {
        const { json, anyOrigin, allowedOrigin, ...changes } = options;
        return run({ json }, async (app) => {
          if (anyOrigin === true && allowedOrigin !== undefined)
            throw invalid("allowedOrigins", "cannot go with --any-origin");
          const origins = anyOrigin === true ? [] : allowedOrigin;
          return updateWeb(OPERATOR, app, await workspaceOf(app, "channel", id), id, {
            ...changes,
            origins,
          });
        });
      },
    );
}
