import { endEachFile } from './after-file.js';

endEachFile();
