import { runProgram, watchOutput } from "./command-line.ts";
import { buildProgram } from "./program.ts";

watchOutput(process.stdout);

const status = await runProgram(buildProgram(), process.argv.slice(2));
// A disk that was full has set one already.
process.exitCode ||= status;
