// `node test/models/main.ts [PORT]`: the stand-in model server by itself, for trying agents by hand.
import { startModels } from './start-models.ts';

const { url } = await startModels(Number(process.argv[2] ?? 0));
console.log(url);
