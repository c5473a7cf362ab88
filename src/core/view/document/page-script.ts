// The only script of a report page. It filters the table of tasks and opens all folded sections before printing. The
// page is complete without it.
//
// page-script/K1. The script reads the page and hides rows. It creates no HTML and sends no requests.

export const PAGE_SCRIPT = [
  "'use strict';",
  "const bar=document.querySelector('.filter');",
  "const table=document.querySelector('#tasks table');",
  'if(bar&&table){',
  "const search=bar.querySelector('input[type=search]');",
  "const boxes=[...bar.querySelectorAll('input[type=checkbox]')];",
  "const found=bar.querySelector('.found');",
  'const rows=[...table.tBodies[0].rows].map((row)=>({row,text:row.textContent.toLowerCase()}));',
  'const apply=()=>{',
  "const words=search.value.toLowerCase().split(' ').filter((word)=>word!=='');",
  'const states=new Set(boxes.filter((box)=>box.checked).map((box)=>box.value));',
  'let shown=0;',
  'for(const{row,text}of rows){',
  'row.hidden=!(states.has(row.dataset.state)&&words.every((word)=>text.includes(word)));',
  'if(!row.hidden)shown+=1;',
  '}',
  "found.textContent=shown===rows.length?'':shown+' of '+rows.length;",
  '};',
  "search.addEventListener('input',apply);",
  "for(const box of boxes)box.addEventListener('change',apply);",
  'bar.hidden=false;',
  'apply();',
  '}',
  "addEventListener('beforeprint',()=>{for(const part of document.querySelectorAll('details'))part.open=true;});",
].join('\n');

/** The base64 SHA-256 of the script, for the content security policy; a test compares the two. */
export const PAGE_SCRIPT_HASH = 'z1Iqh6W19+r+4ZKcSyzHXELWrQRUpYiPrvrhQ1TIg+M=';
