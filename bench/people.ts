import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Among so many there is one of each. */
const NEEDLE = 1_000;
export const VIP = 5;
export const GONE = 10;

const CITIES = ["Kuwait", "Cairo", "Riyadh", "Dubai", "Amman", "Beirut", "Doha"];
const NAMES = ["Sara Haddad", "Omar Nasser", "Lina Khoury", "Yusuf Amin", "ليلى حداد"];

function* lines(count: number): Generator<string> {
  let text = "name,email,phone,tags,attribute.city,attribute.age,optedOut\r\n";
  for (let i = 1; i <= count; i++) {
    const name = `${NAMES[i % NAMES.length] ?? ""} ${i}${i % NEEDLE === 0 ? " needle" : ""}`;
    const tags = [i % VIP === 0 ? "vip" : "lead", ...(i % GONE === 0 ? ["gone"] : [])].join(";");
    text += `${name},person${i}@example.com,${96_500_000_000 + i},${tags},${CITIES[i % CITIES.length] ?? ""},${18 + (i % 60)},${i % 100 === 7 ? "yes" : ""}\r\n`;
    if (text.length < 65_536) continue;
    yield text;
    text = "";
  }
  yield text;
}

/** Writes a CSV of so many people as a stream: what somebody brings from another program. */
export async function writePeople(file: string, count: number): Promise<void> {
  await pipeline(Readable.from(lines(count)), createWriteStream(file));
}
