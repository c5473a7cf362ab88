import assert from 'node:assert';
import { cloth } from '../src/cloth.js';

assert.equal(cloth(9, 4).length, 4);
for (const row of cloth(9, 4)) assert.equal(row.length, 9);
