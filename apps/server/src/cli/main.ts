import { runProgram, watchOutput } from "./command-line.ts";
import { buildProgram } from "./program.ts";

watchOutput(process.stdout);

const words = process.argv.slice(2);
const status = await runProgram(await buildProgram(words), words);
// A fault of standard output has set a status already.
process.exitCode ||= status;
