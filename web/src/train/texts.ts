// SPDX-License-Identifier: GPL-3.0-or-later
/* texts.ts -- the words of the training page. Short, for children too; every language has all of them. */

import type { Language } from '../texts/index.ts';

const en = {
  title: 'Train', board: 'Board', start: 'Start', next: 'Next', hint: 'Hint', show: 'Show me', again: 'Try again',
  white: 'White to move: find the best move!', black: 'Black to move: find the best move!',
  punishWhite: 'Your opponent made a mistake. White to move: use it!', punishBlack: 'Your opponent made a mistake. Black to move: use it!',
  goOn: 'Good! And now?', right: 'Well done!', asGood: 'That is just as good!', wrong: 'Not that one.', thinking: 'Let me see …',
  answer: 'It was {move}.', played: 'In the game: {move}', watch: 'Look at this piece.', level: 'Level {n}',
  done: 'All done for now! Come back {when}.', nothing: 'No puzzles yet. Play and review a game, or open one below.',
  due: '{n} to do, {all} in all', myGames: 'My games', who: 'I am', anyone: 'everybody', find: 'Make puzzles of my games',
  open: 'Open a file of games', looking: 'Game {n} of {all} …', made: '{n} new puzzles', noGames: 'There are no reviewed games yet.',
  trouble: 'The server does not answer.', remove: 'Not this one again', often: 'What you miss most',
  mate: 'mate', hanging: 'loose piece', fork: 'fork', pin: 'pin', skewer: 'skewer', discovered_attack: 'discovered attack', trapped: 'trapped piece',
  removed_defender: 'defender taken', deflection: 'deflection', overload: 'overload', back_rank: 'back rank', promotion: 'promotion',
  stalemate: 'stalemate', perpetual_check: 'perpetual check', table: 'endgame', king_safety: 'king safety',
};
export type TrainKey = keyof typeof en;
type TrainTexts = Record<TrainKey, string>;

const bs: TrainTexts = {
  title: 'Vježba', board: 'Tabla', start: 'Počni', next: 'Dalje', hint: 'Pomoć', show: 'Pokaži', again: 'Probaj opet',
  white: 'Bijeli je na potezu: nađi najbolji potez!', black: 'Crni je na potezu: nađi najbolji potez!',
  punishWhite: 'Protivnik je pogriješio. Bijeli je na potezu: iskoristi to!', punishBlack: 'Protivnik je pogriješio. Crni je na potezu: iskoristi to!',
  goOn: 'Dobro! A sada?', right: 'Bravo!', asGood: 'I to je jednako dobro!', wrong: 'Nije taj.', thinking: 'Da vidim …',
  answer: 'Bilo je {move}.', played: 'U partiji: {move}', watch: 'Pogledaj ovu figuru.', level: 'Nivo {n}',
  done: 'Za sada je sve gotovo! Vrati se {when}.', nothing: 'Još nema zadataka. Odigraj i pregledaj partiju, ili otvori neku ispod.',
  due: '{n} na redu, ukupno {all}', myGames: 'Moje partije', who: 'Ja sam', anyone: 'svi', find: 'Napravi zadatke iz mojih partija',
  open: 'Otvori datoteku s partijama', looking: 'Partija {n} od {all} …', made: 'Novih zadataka: {n}', noGames: 'Još nema pregledanih partija.',
  trouble: 'Server ne odgovara.', remove: 'Ovaj ne više', often: 'Šta najčešće previdiš',
  mate: 'mat', hanging: 'nebranjena figura', fork: 'viljuška', pin: 'vezivanje', skewer: 'ražanj', discovered_attack: 'otkriveni napad', trapped: 'zarobljena figura',
  removed_defender: 'uzet branilac', deflection: 'odvlačenje', overload: 'preopterećenje', back_rank: 'posljednji red', promotion: 'promocija',
  stalemate: 'pat', perpetual_check: 'vječiti šah', table: 'završnica', king_safety: 'sigurnost kralja',
};
const ro: TrainTexts = {
  title: 'Antrenament', board: 'Tabla', start: 'Începe', next: 'Mai departe', hint: 'Indiciu', show: 'Arată-mi', again: 'Încearcă din nou',
  white: 'Albul mută: găsește cea mai bună mutare!', black: 'Negrul mută: găsește cea mai bună mutare!',
  punishWhite: 'Adversarul a greșit. Albul mută: profită!', punishBlack: 'Adversarul a greșit. Negrul mută: profită!',
  goOn: 'Bine! Și acum?', right: 'Foarte bine!', asGood: 'Și asta e la fel de bună!', wrong: 'Nu asta.', thinking: 'Să vedem …',
  answer: 'Era {move}.', played: 'În partidă: {move}', watch: 'Uită-te la piesa aceasta.', level: 'Nivel {n}',
  done: 'Gata pentru acum! Revino {when}.', nothing: 'Încă nu sunt probleme. Joacă și analizează o partidă sau deschide una mai jos.',
  due: '{n} de făcut, {all} în total', myGames: 'Partidele mele', who: 'Eu sunt', anyone: 'toți', find: 'Fă probleme din partidele mele',
  open: 'Deschide un fișier cu partide', looking: 'Partida {n} din {all} …', made: 'Probleme noi: {n}', noGames: 'Încă nu sunt partide analizate.',
  trouble: 'Serverul nu răspunde.', remove: 'Pe asta n-o mai vreau', often: 'Ce scapi cel mai des',
  mate: 'mat', hanging: 'piesă neapărată', fork: 'furculiță', pin: 'legare', skewer: 'frigare', discovered_attack: 'atac prin descoperire', trapped: 'piesă prinsă',
  removed_defender: 'apărător capturat', deflection: 'deviere', overload: 'supraîncărcare', back_rank: 'ultima linie', promotion: 'promovare',
  stalemate: 'pat', perpetual_check: 'șah etern', table: 'final', king_safety: 'siguranța regelui',
};
const vi: TrainTexts = {
  title: 'Luyện tập', board: 'Bàn cờ', start: 'Bắt đầu', next: 'Tiếp', hint: 'Gợi ý', show: 'Cho xem', again: 'Thử lại',
  white: 'Trắng đi: tìm nước hay nhất!', black: 'Đen đi: tìm nước hay nhất!',
  punishWhite: 'Đối thủ vừa đi sai. Trắng đi: hãy tận dụng!', punishBlack: 'Đối thủ vừa đi sai. Đen đi: hãy tận dụng!',
  goOn: 'Tốt! Rồi sao nữa?', right: 'Giỏi lắm!', asGood: 'Nước này cũng hay như vậy!', wrong: 'Không phải nước đó.', thinking: 'Để xem …',
  answer: 'Đáp án là {move}.', played: 'Trong ván: {move}', watch: 'Hãy nhìn quân này.', level: 'Mức {n}',
  done: 'Xong rồi! Hãy quay lại {when}.', nothing: 'Chưa có bài nào. Hãy chơi và xem lại một ván, hoặc mở một ván bên dưới.',
  due: 'Còn {n}, tất cả {all}', myGames: 'Ván của tôi', who: 'Tôi là', anyone: 'mọi người', find: 'Tạo bài từ ván của tôi',
  open: 'Mở tệp ván cờ', looking: 'Ván {n} trên {all} …', made: '{n} bài mới', noGames: 'Chưa có ván nào được xem lại.',
  trouble: 'Máy chủ không trả lời.', remove: 'Bỏ bài này', often: 'Bạn hay bỏ lỡ',
  mate: 'chiếu hết', hanging: 'quân không được bảo vệ', fork: 'bắt đôi', pin: 'ghim', skewer: 'xiên', discovered_attack: 'tấn công mở', trapped: 'quân bị bắt',
  removed_defender: 'mất quân bảo vệ', deflection: 'đánh lạc hướng', overload: 'quá tải', back_rank: 'hàng cuối', promotion: 'phong cấp',
  stalemate: 'hết nước đi', perpetual_check: 'chiếu vĩnh viễn', table: 'tàn cuộc', king_safety: 'an toàn vua',
};
const fi: TrainTexts = {
  title: 'Harjoittele', board: 'Lauta', start: 'Aloita', next: 'Seuraava', hint: 'Vihje', show: 'Näytä', again: 'Yritä uudelleen',
  white: 'Valkea siirtää: etsi paras siirto!', black: 'Musta siirtää: etsi paras siirto!',
  punishWhite: 'Vastustaja erehtyi. Valkea siirtää: käytä tilaisuus!', punishBlack: 'Vastustaja erehtyi. Musta siirtää: käytä tilaisuus!',
  goOn: 'Hyvä! Entä nyt?', right: 'Hienoa!', asGood: 'Tämä on yhtä hyvä!', wrong: 'Ei tuo.', thinking: 'Katsotaanpa …',
  answer: 'Oikea siirto oli {move}.', played: 'Pelissä: {move}', watch: 'Katso tätä nappulaa.', level: 'Taso {n}',
  done: 'Kaikki tehty! Palaa {when}.', nothing: 'Tehtäviä ei vielä ole. Pelaa ja tarkastele peli, tai avaa peli alta.',
  due: '{n} jäljellä, yhteensä {all}', myGames: 'Omat pelit', who: 'Minä olen', anyone: 'kaikki', find: 'Tee tehtäviä peleistäni',
  open: 'Avaa pelitiedosto', looking: 'Peli {n}/{all} …', made: 'Uusia tehtäviä: {n}', noGames: 'Tarkasteltuja pelejä ei vielä ole.',
  trouble: 'Palvelin ei vastaa.', remove: 'Ei enää tätä', often: 'Mitä useimmin huomaat liian myöhään',
  mate: 'matti', hanging: 'suojaamaton nappula', fork: 'haarukka', pin: 'kiinnitys', skewer: 'varras', discovered_attack: 'paljastushyökkäys', trapped: 'ansassa oleva nappula',
  removed_defender: 'puolustajan lyönti', deflection: 'houkuttelu pois', overload: 'ylikuormitus', back_rank: 'takarivi', promotion: 'korotus',
  stalemate: 'patti', perpetual_check: 'ikuinen shakki', table: 'loppupeli', king_safety: 'kuninkaan turva',
};
const ru: TrainTexts = {
  title: 'Тренировка', board: 'Доска', start: 'Начать', next: 'Дальше', hint: 'Подсказка', show: 'Показать', again: 'Ещё раз',
  white: 'Ход белых: найди лучший ход!', black: 'Ход чёрных: найди лучший ход!',
  punishWhite: 'Соперник ошибся. Ход белых: накажи!', punishBlack: 'Соперник ошибся. Ход чёрных: накажи!',
  goOn: 'Хорошо! А теперь?', right: 'Молодец!', asGood: 'Так тоже хорошо!', wrong: 'Не этот.', thinking: 'Посмотрим …',
  answer: 'Надо было {move}.', played: 'В партии: {move}', watch: 'Посмотри на эту фигуру.', level: 'Уровень {n}',
  done: 'Пока всё! Возвращайся {when}.', nothing: 'Задач пока нет. Сыграй и разбери партию или открой её ниже.',
  due: 'Осталось {n}, всего {all}', myGames: 'Мои партии', who: 'Я', anyone: 'все', find: 'Сделать задачи из моих партий',
  open: 'Открыть файл с партиями', looking: 'Партия {n} из {all} …', made: 'Новых задач: {n}', noGames: 'Разобранных партий пока нет.',
  trouble: 'Сервер не отвечает.', remove: 'Больше не показывать', often: 'Что ты упускаешь чаще всего',
  mate: 'мат', hanging: 'незащищённая фигура', fork: 'вилка', pin: 'связка', skewer: 'линейный удар', discovered_attack: 'вскрытое нападение', trapped: 'пойманная фигура',
  removed_defender: 'уничтожение защиты', deflection: 'отвлечение', overload: 'перегрузка', back_rank: 'последняя горизонталь', promotion: 'превращение',
  stalemate: 'пат', perpetual_check: 'вечный шах', table: 'эндшпиль', king_safety: 'безопасность короля',
};

export const trainTexts: Record<Language, TrainTexts> = { en, bs, ro, vi, fi, ru };

export function word(language: Language, key: TrainKey, values: Record<string, string | number> = {}): string {
  return trainTexts[language][key].replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}

export const isTheme = (name: string): name is TrainKey => name in en;
