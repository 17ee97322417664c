# Draws the gut and its mesentery's rulings at three instants from a --dump folder. Needs gnuplot.
#   ./plica run intestine --seconds 6 --dump out
#   gnuplot -e "dir='out'" examples/plot.gp        # writes out/intestine.png
if (!exists("dir")) dir = 'out'
if (!exists("frames")) frames = '0 15 180'

# A .npy file is a 128-byte header and the bare numbers; its shape stands in the header: (frames, nodes, 3).
nodes = int(system("head -c 128 ".dir."/positions.npy | tr -dc '0-9, (' | sed 's/.*(//' | cut -d, -f2"))
gut = int(system("tr -d ' \\n' < ".dir."/scene.json | sed 's/.*\"name\":\"gut\"[^[]*\\[0,\\([0-9]*\\)\\].*/\\1/'"))
skip(frame, first) = 128 + 24 * (int(frame) * nodes + first)

set terminal pngcairo rounded size 1500,520 background '#ffffff' font 'sans,12'
set output dir.'/intestine.png'
set multiplot layout 1,3 margins 0.01,0.99,0.02,0.92 spacing 0.01
set view 74,25,1.9
set view equal xyz
set xrange [-0.2:0.2]; set yrange [-0.2:0.2]; set zrange [-0.21:0.19]
set xyplane at -0.21
unset key; unset colorbox; unset border; unset tics
set palette defined (0 '#8c2d2d', 0.5 '#d9776b', 1 '#f2c1a0')
do for [frame in frames] {
    set title sprintf('t = %.1f s', frame / 30.0)
    splot dir.'/positions.npy' binary skip=skip(frame, gut) record=(nodes - gut) format='%double%double%double' \
              using 1:2:3 with points pt 7 ps 0.25 lc rgb '#b0e0a030', \
          dir.'/positions.npy' binary skip=skip(frame, 0) record=(gut) format='%double%double%double' \
              using 1:2:3:(column(0)) with lines lw 7 lc palette
}
unset multiplot
