import { audience, campaign } from "./campaign.ts";
import type { Case } from "./case.ts";
import { commands } from "./commands.ts";
import { create } from "./create.ts";
import { checks } from "./edge.ts";
import { guessing } from "./guessing.ts";
import { inbound } from "./inbound.ts";
import { inbox } from "./inbox.ts";
import { forged } from "./forged.ts";
import { list, search } from "./list.ts";
import { million } from "./million.ts";
import { neighbours } from "./neighbours.ts";
import { orders } from "./orders.ts";
import { patterns } from "./patterns.ts";
import { memory, startTime } from "./process.ts";
import { scrape } from "./scrape.ts";
import { strangers, upserts } from "./programs.ts";
import { reply } from "./reply.ts";
import { roles } from "./roles.ts";
import { webhooks } from "./webhooks.ts";

/** In this order: what only reads comes before what makes the tables grow. */
export const cases: readonly Case[] = [
  list,
  search,
  checks,
  guessing,
  audience,
  create,
  reply,
  inbound,
  inbox,
  forged,
  campaign,
  strangers,
  orders,
  upserts,
  scrape,
  roles,
  webhooks,
  neighbours,
  memory,
  startTime,
  commands,
  patterns,
];

/** Takes a quarter of an hour and a PostgreSQL of its own: runs when it is named, by itself. */
export const apart: Case = million;
