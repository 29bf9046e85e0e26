export const imports = {
  "imports.lead":
    "From a spreadsheet saved as CSV, or an export of another program. You see what each row becomes before anything is stored.",
  "imports.back": "Contacts",
  "imports.choose": "Choose file",
  "imports.drop": "Drop a file here",
  "imports.dropHint":
    "CSV, TSV or JSON Lines, up to {size}. Excel: File, Save as, “CSV UTF-8”. Arabic in older encodings is recognised.",
  "imports.uploading": "Uploading {name}",
  "imports.workbook":
    "{name} is a workbook or an archive, which cannot be read as it is. In Excel choose File, Save as, “CSV UTF-8 (Comma delimited)”; in Google Sheets File, Download, CSV. Then choose that file.",
  "imports.notRead":
    "{name} is not a file of contacts that can be read: its name must end in .csv, .tsv, .txt or .jsonl.",
  "imports.tooLarge":
    "{name} is larger than {size}. Split it, and import the parts one after another.",
  "imports.emptyFile": "{name} is empty.",
  "imports.otherFile": "Choose another file",
  "imports.step.columns": "Columns",
  "imports.step.check": "Check",
  "imports.columns.lead":
    "What each column holds. Columns that were not recognised are left out unless you say what they are.",
  "imports.next": "Next",
  "imports.start": "Start import",
  "imports.column": "Column {number}",
  "imports.by.name": "Recognised by its name",
  "imports.by.content": "Recognised by what is in it",
  "imports.by.nothing": "Not recognised",
  "imports.filled": "{filled} of {rows} filled",
  "imports.field.ignore": "Leave out",
  "imports.field.name": "Full name",
  "imports.field.firstName": "First name",
  "imports.field.middleName": "Middle name",
  "imports.field.lastName": "Last name",
  "imports.field.phone": "Phone",
  "imports.field.email": "E-mail",
  "imports.field.notes": "Notes",
  "imports.field.tags": "Tags",
  "imports.field.optedOut": "Opted out (yes or no)",
  "imports.field.attributes": "Attributes (JSON)",
  "imports.field.externalId": "Id on a platform",
  "imports.field.channelType": "Channel type",
  "imports.field.id": "Parley’s contact id",
  "imports.field.attribute": "Attribute “{name}”",
  "imports.newType": "Kind of values",
  "imports.field.newAttribute": "New attribute “{name}”",
  "imports.settings": "How the file is read",
  "imports.country": "Country of local numbers",
  "imports.country.none": "None: numbers stay as they are",
  "imports.country.hint": "A number without a country code gets this country’s.",
  "imports.match": "A row matches a contact by",
  "imports.match.any": "Phone, e-mail or id",
  "imports.match.phone": "Phone only",
  "imports.match.email": "E-mail only",
  "imports.match.externalId": "Id on a platform only",
  "imports.encoding": "Encoding",
  "imports.encoding.hint": "If letters look wrong above, choose another.",
  "imports.delimiter": "Columns are separated by",
  "imports.delimiter.auto": "As the file looks",
  "imports.delimiter.comma": "Comma",
  "imports.delimiter.semicolon": "Semicolon",
  "imports.delimiter.tab": "Tab",
  "imports.delimiter.pipe": "Bar",
  "imports.optIn": "Rows may opt people in again who had opted out",
  "imports.fault.twice": "Two columns are “{field}”. Leave one out, or make it an attribute.",
  "imports.fault.nameParts":
    "There is a full name beside only one part of a name. Say which part it is, or leave the part out.",
  "imports.fault.noAddress":
    "Say which column has the phone or the e-mail: a row finds its contact by these.",
  "imports.fault.unknown":
    "These columns are not known: {columns}. Choose a field for each, or leave them out.",
  "imports.fault.same": "These columns mean one field: {columns}. Leave all but one out.",
  "imports.fault.missing": "The file has no column {column}.",
  "imports.fault.field": "{column} cannot be {field}.",
  "imports.fault.quote":
    "A quotation mark in the first line stands where it may not, so the columns cannot be told apart.",
  "imports.fault.other": "The columns cannot be read like this: {reason}",
  "imports.reading": "Reading the file…",
  "imports.check.sum":
    "{rows, plural, one {# row} other {# rows}} in the file: {good} can be imported, {refused, plural, =0 {none will be refused} one {# will be refused} other {# will be refused}}.",
  "imports.check.part":
    "The first {rows} rows were read: {good} can be imported, {refused, plural, =0 {none will be refused} one {# will be refused} other {# will be refused}}. The rest follows while it runs.",
  "imports.check.refused": "Rows that will be refused",
  "imports.check.refusedHint":
    "They are kept with their reason, to be corrected and imported again. The others are imported all the same.",
  "imports.check.mended": "What is corrected",
  "imports.check.first": "The first rows",
  "imports.phonesCompleted":
    "{count, plural, one {# local number gets} other {# local numbers get}} the country code of {country}.",
  "imports.withoutCountry":
    "{count, plural, one {# phone has} other {# phones have}} no country code, so nobody can be reached by it. Go back and choose the country of local numbers.",
  "imports.emailsLeftOut":
    "{count, plural, one {# row is} other {# rows are}} imported without the e-mail, because it is not an address. The phone is good.",
  "imports.repeated":
    "{count, plural, one {# row is for a person} other {# rows are for people}} that an earlier row names already. Each person becomes one contact; the later row adds to the earlier.",
  "imports.leftOut": "{count, plural, one {# column is} other {# columns are}} left out: {names}.",
  "imports.lines": "{count, plural, one {Line} other {Lines}} {lines}",
  "imports.linesMore": "Lines {lines} and more",
  "imports.refused.phone_shortened":
    "{count, plural, one {# row has} other {# rows have}} a phone in scientific notation, like 9.65E+11: the last digits are lost. In the spreadsheet, format the column as text, fill in the numbers again and export anew.",
  "imports.refused.phone_without_country":
    "{count, plural, one {# row has} other {# rows have}} a phone that fits no country: it is neither complete in the chosen country nor begins with a country code. Write it with one, or choose another country.",
  "imports.refused.several_phones":
    "{count, plural, one {# row has} other {# rows have}} several phones in one cell. Keep only the one to write to.",
  "imports.refused.phone_invalid":
    "{count, plural, one {# row has} other {# rows have}} a phone that is not a number.",
  "imports.refused.email_invalid":
    "{count, plural, one {# row has} other {# rows have}} an e-mail that is not an address, and no phone beside it.",
  "imports.refused.no_address":
    "{count, plural, one {# row has} other {# rows have}} neither a phone nor an e-mail: there is nobody to write to.",
  "imports.refused.no_match_address":
    "{count, plural, one {# row lacks} other {# rows lack}} the address by which rows match contacts.",
  "imports.refused.wrong_width":
    "{count, plural, one {# row has} other {# rows have}} more or fewer cells than the header. A comma in a text that is not in quotes does that.",
  "imports.refused.broken_quote":
    "{count, plural, one {# row has} other {# rows have}} a quotation mark in the wrong place.",
  "imports.refused.broken_line":
    "{count, plural, one {# line is not a JSON object, or has} other {# lines are not JSON objects, or have}} an unknown member.",
  "imports.refused.bad_number":
    "{count, plural, one {# row has} other {# rows have}} something other than a number in “{attribute}”.",
  "imports.refused.bad_date":
    "{count, plural, one {# row has} other {# rows have}} something other than a date like 2026-11-21 in “{attribute}”.",
  "imports.refused.bad_choice":
    "{count, plural, one {# row has} other {# rows have}} something in “{attribute}” that is not one of its choices.",
  "imports.refused.bad_yes_no":
    "{count, plural, one {# row has} other {# rows have}} something else than yes or no in “{attribute}”.",
  "imports.refused.bad_text":
    "{count, plural, one {# row has} other {# rows have}} something else where a text belongs.",
  "imports.refused.bad_attributes":
    "{count, plural, one {# row has} other {# rows have}} attributes that cannot be read.",
  "imports.refused.bad_tags":
    "{count, plural, one {# row has} other {# rows have}} tags that cannot be read.",
  "imports.refused.bad_channel":
    "{count, plural, one {# row names} other {# rows name}} a channel type that does not exist.",
  "imports.refused.too_long":
    "{count, plural, one {# row has} other {# rows have}} a text that is too long.",
  "imports.refused.bad_characters":
    "{count, plural, one {# row has} other {# rows have}} characters that cannot be stored.",
  "imports.refused.unreadable":
    "The file cannot be read from there on; it may be cut off or in another encoding.",
  "imports.refused.other": "{count, plural, one {# row} other {# rows}}: {reason}",
  "imports.short.phone_shortened": "Phone in scientific notation",
  "imports.short.phone_without_country": "Phone fits no country",
  "imports.short.several_phones": "Several phones",
  "imports.short.phone_invalid": "Phone is not a number",
  "imports.short.email_invalid": "E-mail is not an address",
  "imports.short.no_address": "No phone, no e-mail",
  "imports.short.no_match_address": "Address is missing",
  "imports.short.wrong_width": "Wrong number of cells",
  "imports.short.broken_quote": "Quotation mark",
  "imports.short.broken_line": "Not a JSON object",
  "imports.short.bad_number": "Not a number",
  "imports.short.bad_date": "Not a date",
  "imports.short.bad_choice": "Not one of the choices",
  "imports.short.bad_yes_no": "Not yes or no",
  "imports.short.bad_text": "Text expected",
  "imports.short.bad_attributes": "Attributes unreadable",
  "imports.short.bad_tags": "Tags cannot be read",
  "imports.short.bad_channel": "Unknown channel type",
  "imports.short.too_long": "Too long",
  "imports.short.bad_characters": "Broken characters",
  "imports.short.unreadable": "Cannot be read further",
  "imports.short.other": "Refused",
  "imports.row.line": "Line",
  "imports.row.becomes": "Becomes",
  "imports.row.name": "Name",
  "imports.row.phone": "Phone",
  "imports.row.email": "E-mail",
  "imports.row.tags": "Tags",
  "imports.row.created": "New contact",
  "imports.row.updated": "Updates",
  "imports.row.unchanged": "Nothing new for",
  "imports.row.same": "Adds to an earlier row",
  "imports.row.completed": "Country code added",
  "imports.row.emailLeftOut": "E-mail left out",
  "imports.progress": "Import",
  "imports.progress.text": "{rows} rows, {part}",
  "imports.progress.rate": "{rate} rows a second",
  "imports.progress.left":
    "{minutes, plural, =0 {less than a minute left} one {about a minute left} other {about # minutes left}}",
  "imports.leave": "You can leave this page; the import goes on.",
  "imports.stop": "Stop import",
  "imports.stop.title": "Stop this import?",
  "imports.stop.text":
    "What was imported so far stays. The same file with the same settings goes on from there when you import it again.",
  "imports.discard": "Discard",
  "imports.continue": "Continue",
  "imports.refusedRows": "Refused rows",
  "imports.refusedRows.hint":
    "A file like yours, with the line and the reason of each row. Correct it and import it again: these two columns are skipped.",
  "imports.showContacts": "Show contacts",
  "imports.another": "Import another file",
  "imports.sum.created": "New",
  "imports.sum.updated": "Updated",
  "imports.sum.unchanged": "As they were",
  "imports.sum.refused": "Refused",
  "imports.told.completed":
    "{count, plural, one {# local number got} other {# local numbers got}} the country code.",
  "imports.told.emailsLeftOut":
    "{count, plural, one {# row was} other {# rows were}} imported without the e-mail, because it is not an address.",
  "imports.told.why": "Why rows were refused",
  "imports.told.took": "Took {time}",
  "imports.state.uploaded": "Not started",
  "imports.state.waiting": "Waiting",
  "imports.state.running": "Running",
  "imports.state.done": "Done",
  "imports.state.stopped": "Cut short",
  "imports.state.failed": "Failed",
  "imports.state.cancelled": "Stopped",
  "imports.state.broken_off": "Interrupted",
  "imports.told.waiting": "Waiting for its turn",
  "imports.told.running": "Contacts are being imported",
  "imports.told.done": "The import is done",
  "imports.told.stopped":
    "The file could only be read to line {line}. What stands before it was taken in.",
  "imports.told.gone": "The file is no longer there. Choose it again.",
  "imports.told.notAllowed": "Whoever uploaded the file may no longer import contacts.",
  "imports.told.gaveUp": "The file could not be read or stored, ten times in a row.",
  "imports.told.failed": "The import failed; what was taken in before stays. {reason}",
  "imports.told.cancelled": "The import was stopped. What was taken in before stays.",
  "imports.told.broken_off":
    "This import by the command line was interrupted. The same command goes on with it.",
  "imports.past": "Past imports",
  "imports.past.file": "File",
  "imports.past.state": "State",
  "imports.past.when": "When",
  "imports.past.who": "By",
  "imports.past.cli": "Command line",
  "imports.past.rows": "Rows",
} as const;
