import type { Command } from "commander";
import type { Run } from "./command-line.ts";

/** The first word of a command: its line in the root help, and the file with its commands. */
interface Noun {
  /** The word, with the arguments it takes. */
  readonly usage: string;
  readonly description: string;
  /**
   * Loads the file. Only the file of the noun that is called is loaded, so that a command starts without the rest of
   * the server.
   */
  readonly load: () => Promise<(command: Command, run: Run) => void>;
}

/** The commands of a noun of which `operations/` declares all. */
async function declared(noun: string): ReturnType<Noun["load"]> {
  const { registerDeclared } = await import("./declared.ts");
  return (command, run) => registerDeclared(noun, command, run);
}

/** Every noun, in the order of the root help. */
export const NOUNS: readonly Noun[] = [
  {
    usage: "workspace",
    description: "workspaces: plan, limits, credits",
    load: async () => (await import("./workspace.ts")).registerWorkspace,
  },
  {
    usage: "retention",
    description: "for how long a workspace keeps messages, files and events",
    load: () => declared("retention"),
  },
  {
    usage: "user",
    description: "people of a workspace; owners and admins get its notices by mail",
    load: async () => (await import("./user.ts")).registerUser,
  },
  {
    usage: "key",
    description: "API keys of a workspace; the master key",
    load: async () => (await import("./key.ts")).registerKey,
  },
  {
    usage: "channel",
    description: "connected accounts on messaging platforms",
    load: async () => (await import("./channel.ts")).registerChannel,
  },
  {
    usage: "sms-provider",
    description: "the workspace's own SMS account",
    load: async () => (await import("./sms-provider.ts")).registerSmsProvider,
  },
  {
    usage: "webhook",
    description: "where a workspace's events are sent",
    load: async () => {
      const own = (await import("./webhook.ts")).registerWebhook;
      const { registerDeclared } = await import("./declared.ts");
      return (command, run) => {
        own(command, run);
        registerDeclared("webhook", command, run);
      };
    },
  },
  {
    usage: "segment",
    description: "named selections of contacts",
    load: async () => (await import("./segment.ts")).registerSegment,
  },
  {
    usage: "broadcast",
    description: "campaigns",
    load: async () => (await import("./broadcast.ts")).registerBroadcast,
  },
  {
    usage: "template",
    description: "templates that campaigns send",
    load: async () => (await import("./template.ts")).registerTemplate,
  },
  {
    usage: "conversation",
    description: "conversations and their messages",
    load: async () => {
      const own = (await import("./conversation.ts")).registerConversation;
      const { registerDeclared } = await import("./declared.ts");
      return (command, run) => {
        own(command, run);
        registerDeclared("conversation", command, run);
      };
    },
  },
  {
    usage: "label",
    description: "labels of conversations and their colors",
    load: () => declared("label"),
  },
  {
    usage: "bot",
    description: "bots: their documents, versions and answers; who answers a conversation",
    load: async () => {
      const { registerBot } = await import("./bot.ts");
      const { registerBotAnswers } = await import("./bot-answers.ts");
      const { registerBotTest } = await import("./bot-test.ts");
      return (command, run) => {
        registerBot(command, run);
        registerBotAnswers(command, run);
        registerBotTest(command, run);
      };
    },
  },
  {
    usage: "model",
    description: "the language model that writes a workspace's AI replies",
    load: async () => (await import("./model.ts")).registerModel,
  },
  {
    usage: "media",
    description: "files of messages, and files for messages",
    load: () => declared("media"),
  },
  {
    usage: "member",
    description: "the people of a workspace, as the API lists them",
    load: () => declared("member"),
  },
  {
    usage: "saved-reply",
    description: "texts that the team shares",
    load: () => declared("saved-reply"),
  },
  {
    usage: "note",
    description: "notes of a conversation, which customers never see",
    load: () => declared("note"),
  },
  {
    usage: "suggestion",
    description: "replies that a member sends, changes or discards",
    load: () => declared("suggestion"),
  },
  {
    usage: "template-message",
    description: "templates to people who need not have written yet",
    load: () => declared("template-message"),
  },
  {
    usage: "knowledge",
    description: "what bots may answer from",
    load: async () => {
      const own = (await import("./knowledge.ts")).registerKnowledge;
      const { registerDeclared } = await import("./declared.ts");
      return (command, run) => {
        own(command, run);
        registerDeclared("knowledge", command, run);
      };
    },
  },
  {
    usage: "gap",
    description: "questions that no source answered",
    load: () => declared("gap"),
  },
  {
    usage: "message",
    description: "replies to customers",
    load: async () => (await import("./message.ts")).registerMessage,
  },
  {
    usage: "contact",
    description: "one contact: show, create, update, upsert",
    load: async () => (await import("./contact.ts")).registerContact,
  },
  {
    usage: "contacts",
    description: "contacts: in and out as files, consent, changes to many, all of one person",
    load: async () => (await import("./contacts.ts")).registerContacts,
  },
  {
    usage: "sandbox",
    description: "channels to try without an account, and the customers on them",
    load: async () => (await import("./sandbox.ts")).registerSandbox,
  },
  {
    usage: "audit",
    description: "changes in a workspace: what, by whom, when",
    load: async () => (await import("./audit.ts")).registerAudit,
  },
  {
    usage: "notice",
    description: "what the admins of a workspace were told",
    load: async () => (await import("./notice.ts")).registerNotice,
  },
  {
    usage: "mcp",
    description: "the tools of AI assistants (MCP) over standard input and output, with an API key",
    load: async () => (await import("./mcp.ts")).registerMcpCommand,
  },
  {
    usage: "demo",
    description: "the demo workspace",
    load: async () => (await import("./demo.ts")).registerDemo,
  },
  {
    usage: "set-up-link",
    description: "print the link with which the first owner is set up, while nobody can sign in",
    load: async () => (await import("./set-up.ts")).registerSetUpLink,
  },
  {
    usage: "backup <file>",
    description:
      "write everything but the master key to a file, uploads included, while the server runs or not",
    load: async () => (await import("./backup.ts")).registerBackup,
  },
  {
    usage: "restore <file>",
    description: "read a backup into an empty database; sending stays paused afterwards",
    load: async () => (await import("./backup.ts")).registerRestore,
  },
  {
    usage: "halt",
    description:
      "before the first start on a PostgreSQL that was brought back to an earlier moment: nothing that may have been sent since goes out again",
    load: async () => (await import("./halt-everything.ts")).registerHalt,
  },
  {
    usage: "doctor",
    description:
      "check the settings, the data folder, the port, the database, and S3, Redis and the mail server when they are set; report backlogs and stalled work",
    load: async () => (await import("./system.ts")).registerDoctor,
  },
  {
    usage: "migrate",
    description: "bring the database's schema up to this version",
    load: async () => (await import("./system.ts")).registerMigrate,
  },
  {
    usage: "openapi",
    description: "print the OpenAPI document, or write it where it is committed",
    load: async () => (await import("./system.ts")).registerOpenapi,
  },
];
